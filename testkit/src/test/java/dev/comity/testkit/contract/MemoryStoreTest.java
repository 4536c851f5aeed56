package dev.comity.testkit.contract;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import java.time.InstantSource;

class MemoryStoreTest
    implements CrawlStoreContract,
        ImageContract,
        RefreshContract,
        SourceContract,
        FrontierContract {
  @Override
  public CrawlStore store(StoreShape shape, InstantSource clock) {
    return new MemoryStore(
            CrawlUrl::domain,
            Moves.POLICY,
            StoreLimits.DEFAULTS.withLease(shape.lease()).withMaxUnfinished(shape.mostUnfinished()),
            clock)
        .datingPages();
  }

  @Override
  public CrawlStore another(CrawlStore store, String worker) {
    return ((MemoryStore) store).another(worker);
  }

  @Override
  public Operations operations(CrawlStore store) {
    return ((MemoryStore) store).operations();
  }

  @Override
  public SourceOperations sources(CrawlStore store) {
    return ((MemoryStore) store).sources();
  }

  @Override
  public Reports reports(CrawlStore store) {
    return ((MemoryStore) store).reports();
  }
}
