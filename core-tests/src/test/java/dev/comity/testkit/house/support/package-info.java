/** What the tests of the house look for. */
@NullMarked
package dev.comity.testkit.house.support;

import org.jspecify.annotations.NullMarked;
