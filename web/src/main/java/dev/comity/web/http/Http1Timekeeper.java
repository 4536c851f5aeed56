package dev.comity.web.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closes a connection when a read takes too long. A socket's own time-out is a task that the JDK
 * schedules and calls off for each read that has to wait: two wake-ups of a thread for every page.
 * One look at all reads every now and then costs next to nothing, and it is soon enough.
 */
final class Http1Timekeeper implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(20);

  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Http1Connection> inUse = new HashSet<>();
  private boolean working;
  private boolean closed;

  Http1Timekeeper() {
    this(Thread.ofPlatform().daemon().name("read time-outs").factory());
  }

  Http1Timekeeper(ThreadFactory threads) {
    this.threads = threads;
  }

  /** Watches its reads from now on, until {@link #leave}. */
  void watch(Http1Connection connection) {
    lock.lock();
    try {
      inUse.add(connection);
      if (!working) {
        threads.newThread(this::work).start();
        working = true;
      } else if (inUse.size() == 1) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void leave(Http1Connection connection) {
    lock.lock();
    try {
      inUse.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    while (isNeeded()) {
      overdue().forEach(Http1Connection::abort);
      LockSupport.parkNanos(PACE.toNanos());
    }
  }

  /** Waits while nothing is in use. */
  private boolean isNeeded() {
    lock.lock();
    try {
      while (inUse.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      // Reads that are still open at the end are watched until they end.
      working = !inUse.isEmpty();
      return working;
    } finally {
      lock.unlock();
    }
  }

  private List<Http1Connection> overdue() {
    List<Http1Connection> overdue = new ArrayList<>(0);
    lock.lock();
    try {
      long now = System.nanoTime();
      for (Http1Connection connection : inUse) {
        if (connection.isOverdue(now)) {
          overdue.add(connection);
        }
      }
    } finally {
      lock.unlock();
    }
    return overdue;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
