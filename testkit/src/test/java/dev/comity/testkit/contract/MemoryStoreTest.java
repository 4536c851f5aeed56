package dev.comity.testkit.contract;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.url.CrawlUrl;

class MemoryStoreTest implements CrawlStoreContract {
  @Override
  public CrawlStore emptyStore() {
    return new MemoryStore(CrawlUrl::domain);
  }
}
