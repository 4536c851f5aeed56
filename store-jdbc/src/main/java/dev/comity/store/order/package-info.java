/** The order in which domains are claimed: by priority, or in the order of the seeds. */
@NullMarked
package dev.comity.store.order;

import org.jspecify.annotations.NullMarked;
