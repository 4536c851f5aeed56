package dev.comity.web.http;

import dev.comity.web.net.OpenFiles;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Keeps fetches within the file descriptors the process may have. A fetch that could take one of
 * the last ones waits: first idle connections are closed, then another fetch has to end. One fetch
 * is always let through. Waiting costs no URL a try, and it ends by itself when descriptors are
 * free again.
 */
final class Descriptors {
  /** Left to the store, to look-ups of names and to whatever else opens files. */
  static final int RESERVED = 4;

  /** With so many there is no need to count: no crawl has as many connections. */
  private static final long PLENTY = 16_384;

  /** Other parts of the process give descriptors back without telling. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final long limit;
  private final LongSupplier left;
  private final Runnable closeIdle;
  private LongConsumer told = _ -> {};
  private boolean saidSo;
  private int underWay;
  private long ended;

  /** How many could be opened when they were last counted, and fetches let through since. */
  private long known;

  private long entered;

  /** Let through and not yet connected: these will take one each. */
  private int connecting;

  /**
   * @param left how many can be opened now
   * @param closeIdle closes the connections that are not in use
   */
  Descriptors(long limit, LongSupplier left, Runnable closeIdle) {
    this.limit = limit;
    this.left = left;
    this.closeIdle = closeIdle;
  }

  static Descriptors ofThisProcess(Runnable closeIdle) {
    return new Descriptors(OpenFiles.limit(), OpenFiles::left, closeIdle);
  }

  /**
   * Sets the listener that is told once when connections have to wait.
   *
   * @param listener hears how many descriptors the process may have
   */
  synchronized void tell(LongConsumer listener) {
    told = listener;
  }

  /** Waits until there is a descriptor for one more connection. */
  synchronized void enter() throws InterruptedException {
    while (isScarce()) {
      runShort();
      if (underWay == 0) {
        break;
      }
      if (isScarce()) {
        wait(LOOK_AGAIN.toMillis());
      }
    }
    underWay++;
    connecting++;
    entered++;
  }

  /**
   * Counting takes as long as there are open files, so it is done anew only when half of what was
   * left may be taken: each fetch takes one at most.
   */
  private boolean isScarce() {
    if (limit >= PLENTY || entered < (known - RESERVED) / 2) {
      return false;
    }
    known = left.getAsLong() - connecting;
    entered = 0;
    return known <= RESERVED;
  }

  private void runShort() {
    closeIdle.run();
    if (!saidSo) {
      saidSo = true;
      told.accept(limit);
    }
  }

  /** One that was let through has its connection. */
  synchronized void connected() {
    connecting--;
  }

  /**
   * One that was let through has ended.
   *
   * @param connected whether it had its connection
   */
  synchronized void leave(boolean connected) {
    underWay--;
    ended++;
    connecting -= connected ? 0 : 1;
    notify();
  }

  /** There was none left after all: waits until there may be one. */
  synchronized void ranOut() throws InterruptedException {
    runShort();
    long before = ended;
    long until = System.nanoTime() + LOOK_AGAIN.toNanos();
    for (long left = LOOK_AGAIN.toMillis(); left > 0 && ended == before; ) {
      wait(left);
      left = Duration.ofNanos(until - System.nanoTime()).toMillis();
    }
  }
}
