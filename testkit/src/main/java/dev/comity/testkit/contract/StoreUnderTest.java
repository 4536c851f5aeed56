package dev.comity.testkit.contract;

import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import java.time.InstantSource;

/** What a store's test supplies; the contracts do the rest. */
public interface StoreUnderTest {

  /** A new and empty store that keeps sub-domains apart and goes by this clock. */
  CrawlStore store(StoreShape shape, InstantSource clock);

  /** The handle of another worker on the data of a store that this test made. */
  CrawlStore another(CrawlStore store, String worker);

  /** What operators do with the data of a store that this test made. */
  Operations operations(CrawlStore store);

  /** What people read of the data of a store that this test made. */
  Reports reports(CrawlStore store);

  /** A store whose clock always shows what its caller's shows. */
  default CrawlStore store(StoreShape shape) {
    SettableClock clock = new SettableClock(Moves.NOON);
    return new DrivenStore(store(shape, clock), clock);
  }
}
