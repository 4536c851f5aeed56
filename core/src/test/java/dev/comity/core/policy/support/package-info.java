/** A domain and a site with a limit, played for the tests of the policy. */
@NullMarked
package dev.comity.core.policy.support;

import org.jspecify.annotations.NullMarked;
