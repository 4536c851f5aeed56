package dev.comity.core.engine;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's own time: the wall clock read once, and monotonic time since. A clock that is set
 * forward or back therefore neither bursts nor freezes a crawl.
 */
public final class SystemTimeline implements Timeline {
  private final Instant wallAtStart = Instant.now();
  private final long monotonicAtStart = System.nanoTime();
  private final LongWaits longWaits =
      new LongWaits(Thread.ofPlatform().daemon().name("long waits").factory());

  @Override
  public Instant instant() {
    return wallAtStart.plusNanos(System.nanoTime() - monotonicAtStart);
  }

  @Override
  public Instant wall() {
    return Instant.now();
  }

  @Override
  public void await(Signal signal, Instant until) throws InterruptedException {
    signal.waitedForBy(Thread.currentThread());
    while (!signal.take()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (until.equals(Instant.MAX)) {
        LockSupport.park(signal);
        continue;
      }
      Duration left = Duration.between(instant(), until);
      if (!left.isPositive()) {
        return;
      }
      if (left.compareTo(LongWaits.LONG) <= 0) {
        LockSupport.parkNanos(signal, left.toNanos());
      } else {
        Duration ahead = left.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : left;
        longWaits.park(signal, System.nanoTime() + ahead.toNanos());
      }
    }
  }

  @Override
  public Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }
}
