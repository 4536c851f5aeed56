package dev.comity.core.port;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock, every wait and every thread of the engine. The engine reads the time, waits and starts
 * tasks only through this interface. So a test can own all three and repeat a history.
 */
public interface Timeline extends InstantSource {

  /**
   * The wall clock as it is now. It can be set, but goes on while the machine is suspended, which
   * the monotonic clock behind {@link #instant} may not.
   */
  Instant wall();

  /** Waits until the signal is raised, and takes it, but not beyond the given time. */
  void await(Signal signal, Instant until) throws InterruptedException;

  /** Starts a task in a thread of its own. */
  Thread start(String name, Runnable task);

  /** Waits until the signal is raised, however long that takes. */
  default void await(Signal signal) throws InterruptedException {
    await(signal, Instant.MAX);
  }
}
