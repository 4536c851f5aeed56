package dev.comity.web.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a read may take. The reading thread starts and stops it; another thread checks whether
 * it has run out. Both agree: either it was stopped in time or it had run out before.
 */
final class ReadTimer {
  private static final long STOPPED = 0;
  private static final long RUN_OUT = 2;

  /** One of the above or, while it runs, its end, made odd so that it is neither. */
  private final AtomicLong end = new AtomicLong(STOPPED);

  /**
   * @param nanos when it runs out, on the clock of {@link System#nanoTime}
   */
  void start(long nanos) {
    end.set(nanos | 1);
  }

  /** Whether it had run out before it was stopped. */
  boolean stop() {
    return end.getAndSet(STOPPED) == RUN_OUT;
  }

  /** Whether it has just run out: said once. */
  boolean runsOut(long now) {
    long at = end.get();
    boolean runs = at != STOPPED && at != RUN_OUT;
    return runs && now - at >= 0 && end.compareAndSet(at, RUN_OUT);
  }
}
