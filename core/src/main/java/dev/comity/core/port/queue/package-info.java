/**
 * Queues of claimed domains that lie outside of their store. The store keeps the URLs that are
 * next, in flight or settled; {@link dev.comity.core.port.queue.QueueCheckpoints} says how far the
 * queue was written when a result was.
 */
@NullMarked
package dev.comity.core.port.queue;

import org.jspecify.annotations.NullMarked;
