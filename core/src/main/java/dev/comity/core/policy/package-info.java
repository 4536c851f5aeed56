/** How every site is treated, as pure functions of what is known and the time. */
@NullMarked
package dev.comity.core.policy;

import org.jspecify.annotations.NullMarked;
