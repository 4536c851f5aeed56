package dev.comity.app.monitor;

import java.time.Duration;
import java.util.function.Supplier;

/** Runs a task at a fixed interval until it is closed. */
final class Ticker implements AutoCloseable {
  private final Supplier<Duration> action;
  private final Thread thread;

  Ticker(String name, Duration pace, Runnable action) {
    this(
        Thread.ofVirtual().name(name),
        () -> {
          action.run();
          return pace;
        });
  }

  /**
   * @param kind the thread it is done in
   * @param action answers how long it then is until it is done again
   */
  Ticker(Thread.Builder kind, Supplier<Duration> action) {
    this.action = action;
    thread = kind.start(this::tick);
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(action.get());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /** Afterwards it is not done any more. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
