package dev.comity.testkit.contract;

import dev.comity.core.port.store.CrawlStore;

/** What a store's test supplies; the contracts do the rest. */
public interface StoreUnderTest {

  /** A new and empty store that keeps sub-domains apart. */
  CrawlStore store(StoreShape shape);
}
