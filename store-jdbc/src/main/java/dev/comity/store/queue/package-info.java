/** What a database keeps of queues that lie outside of it. */
@NullMarked
package dev.comity.store.queue;

import org.jspecify.annotations.NullMarked;
