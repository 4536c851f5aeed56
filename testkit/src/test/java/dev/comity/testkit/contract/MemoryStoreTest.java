package dev.comity.testkit.contract;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;

class MemoryStoreTest implements CrawlStoreContract, FrontierContract {
  @Override
  public CrawlStore store(StoreShape shape) {
    return new MemoryStore(
        CrawlUrl::domain,
        Moves.POLICY,
        StoreLimits.DEFAULTS.withLease(shape.lease()).withMaxUnfinished(shape.mostUnfinished()));
  }
}
