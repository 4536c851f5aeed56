package dev.comity.core.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes threads that wait long, shortly before their time. A timed park of a virtual thread is a
 * task that the JDK schedules and calls off: two wake-ups of its timer's thread. A worker whose
 * claim lasts a minute waits thousands of times until the end of that minute, and an answer wakes
 * it nearly every time. One look at all long waits every now and then costs next to nothing.
 */
final class LongWaits {
  private static final Duration PACE = Duration.ofMillis(50);

  /** Waits of more than this are long. The last look before their end is within it. */
  static final Duration LONG = Duration.ofMillis(200);

  /** The watching thread ends after as many looks at nothing: a second. */
  private static final int IDLE_LOOKS = 20;

  private final ThreadFactory threads;
  private final Map<Thread, Long> ends = new ConcurrentHashMap<>();
  private final AtomicBoolean watched = new AtomicBoolean();

  LongWaits(ThreadFactory threads) {
    this.threads = threads;
  }

  /**
   * Parks the current thread until it is unparked, or until less than {@link #LONG} is left.
   *
   * @param end on the scale of {@link System#nanoTime}
   */
  void park(Object blocker, long end) {
    Thread waiter = Thread.currentThread();
    ends.put(waiter, end);
    try {
      if (!watched.get()) {
        watch();
      }
      LockSupport.park(blocker);
    } finally {
      ends.remove(waiter);
    }
  }

  private void watch() {
    if (watched.compareAndSet(false, true)) {
      boolean started = false;
      try {
        threads.newThread(this::work).start();
        started = true;
      } finally {
        // Without memory for a thread, for example: the next wait tries again.
        if (!started) {
          watched.set(false);
        }
      }
    }
  }

  private void work() {
    int idle = 0;
    while (idle < IDLE_LOOKS) {
      LockSupport.parkNanos(PACE.toNanos());
      idle = ends.isEmpty() ? idle + 1 : 0;
      long soon = System.nanoTime() + LONG.toNanos();
      ends.forEach(
          (waiter, end) -> {
            if (end - soon < 0) {
              LockSupport.unpark(waiter);
            }
          });
    }
    watched.set(false);
    // A wait that began before this thread said that it ends.
    if (!ends.isEmpty()) {
      watch();
    }
  }
}
