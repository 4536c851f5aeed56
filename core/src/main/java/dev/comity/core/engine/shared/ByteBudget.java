package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Heap memory for all bodies under way. A body reserves its length before its first byte is read. A
 * body of unknown length reserves more while it grows. The reservation lasts until the URL is
 * settled.
 *
 * <p>There are two pools, so that small pages never wait for large ones. A body that outgrows the
 * small pool moves to the large one, never back. Inside a pool the oldest waiting body is served
 * first. It is served when its bytes fit, or when no other body of the pool can move. That is when
 * all wait, or when there is none. So no set of bodies can wait for each other. A body larger than
 * the whole pool is read alone. Bodies that wait for more are older than bodies that wait for their
 * first bytes. The pool is exceeded by one body at most.
 */
public final class ByteBudget {
  /** Heap bytes for one byte of a body: the body, its text in two bytes a character, one copy. */
  static final int COST = 4;

  /** Bodies up to this length use the small pool. Most pages do. */
  static final long SMALL = 128 << 10;

  private final Pool small;
  private final Pool large;
  private long shares;

  /**
   * @param heap how many bytes of the heap bodies may take
   */
  ByteBudget(long heap) {
    small = new Pool(heap / 4);
    large = new Pool(heap - heap / 4);
  }

  /** What one body holds and wants. */
  public static final class Share {
    private final Signal wake = new Signal();
    private @Nullable Pool pool;
    private @Nullable Pool queue;
    private long held;
    private long wanted;
    private long number;
  }

  private static final class Pool {
    private final long size;
    private final TreeMap<Long, Share> queue = new TreeMap<>();
    private long used;

    /** Bodies that hold bytes of this pool and do not wait in its queue. */
    private int moving;

    Pool(long size) {
      this.size = size;
    }
  }

  /** Waits until the share covers a body of this length. */
  public void reserve(Share share, long length, Timeline time) throws InterruptedException {
    while (!take(share, length)) {
      time.await(share.wake);
    }
  }

  /** Reserves bytes for a body of this length, or queues for them. */
  synchronized boolean take(Share share, long length) {
    if (COST * length > share.held && share.queue == null) {
      share.wanted = COST * length;
      enter(share, length <= SMALL ? small : large);
    }
    return share.queue == null;
  }

  /** Gives back all that the share holds; a second call changes nothing. */
  public synchronized void release(Share share) {
    Pool queue = share.queue;
    if (queue != null) {
      queue.queue.remove(share.number);
      share.queue = null;
    }
    Pool pool = share.pool;
    if (pool != null) {
      share.pool = null;
      pool.used -= share.held;
      pool.moving -= pool == queue ? 0 : 1;
      share.held = 0;
      serve(pool);
    }
    if (queue != null) {
      serve(queue);
    }
  }

  private void enter(Share share, Pool pool) {
    if (share.pool == pool) {
      pool.moving--;
    } else {
      share.number = ++shares;
    }
    share.queue = pool;
    pool.queue.put(share.number, share);
    serve(pool);
  }

  private void serve(Pool pool) {
    while (!pool.queue.isEmpty()) {
      Share first = pool.queue.firstEntry().getValue();
      long more = first.wanted - (first.pool == pool ? first.held : 0);
      if (pool.used + more > pool.size && pool.moving > 0) {
        return;
      }
      pool.queue.pollFirstEntry();
      grant(first, pool, more);
    }
  }

  private void grant(Share share, Pool pool, long more) {
    Pool before = share.pool;
    long freed = share.held;
    pool.used += more;
    pool.moving++;
    share.pool = pool;
    share.queue = null;
    share.held = share.wanted;
    share.wake.raise();
    if (before != null && before != pool) {
      before.used -= freed;
      before.moving--;
      serve(before);
    }
  }

  /** How many heap bytes are reserved. */
  synchronized long used() {
    return small.used + large.used;
  }

  /** How many bodies wait. */
  synchronized int waiting() {
    return small.queue.size() + large.queue.size();
  }
}
