package dev.comity.app;

import java.time.Duration;

/** Does something again and again, a little while apart, until it is closed. */
final class Ticker implements AutoCloseable {
  private final Duration pace;
  private final Runnable action;
  private final Thread thread;

  Ticker(String name, Duration pace, Runnable action) {
    this.pace = pace;
    this.action = action;
    thread = Thread.ofVirtual().name(name).start(this::tick);
  }

  private void tick() {
    try {
      while (true) {
        action.run();
        Thread.sleep(pace);
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
