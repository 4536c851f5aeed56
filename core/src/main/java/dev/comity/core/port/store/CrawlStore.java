package dev.comity.core.port.store;

import dev.comity.core.port.run.RunStore;
import java.time.Instant;

/**
 * All that a crawl needs of its store. A part of the engine takes the narrowest of these ports.
 * Beside it, people use {@link Operations} and {@link Reports}. Thread-safe; a write that returns
 * normally is durable.
 */
public interface CrawlStore extends RunStore, ClaimStore, SeedIntake, DomainLookups, SourceStore {

  /** The URLs of claimed domains. */
  Frontier frontier();

  /** The store's own time. Leases and rests go by it, and so do the clocks of all workers. */
  Instant now();

  /** Whether pages are kept with their content; without it, bodies need no compression. */
  default boolean keepsPages() {
    return true;
  }

  /**
   * Makes blocked writes fail, on a full disk for example. From now on a write that is not possible
   * fails at once.
   */
  default void hurry() {}
}
