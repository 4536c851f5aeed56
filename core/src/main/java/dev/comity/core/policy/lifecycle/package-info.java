/**
 * The states of a domain and every way between them. {@link
 * dev.comity.core.policy.lifecycle.Lifecycle} is the one place where a status changes: each
 * transition is a row of its table, with its cause. A transition the table does not have is
 * refused. {@link dev.comity.core.policy.lifecycle.Standing} is the status with its reason and the
 * end of its cooldown.
 */
@NullMarked
package dev.comity.core.policy.lifecycle;

import org.jspecify.annotations.NullMarked;
