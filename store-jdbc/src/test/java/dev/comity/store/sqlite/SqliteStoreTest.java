package dev.comity.store.sqlite;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.testkit.contract.CrawlStoreContract;
import dev.comity.testkit.contract.FrontierContract;
import dev.comity.testkit.contract.StoreShape;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest implements CrawlStoreContract, FrontierContract {
  @TempDir private Path home;
  private final List<SqliteStore> open = new ArrayList<>();

  @Override
  public CrawlStore store(StoreShape shape) {
    StoreSettings settings =
        StoreSettings.of(
                new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, InstantSource.system())
            .with(
                StoreLimits.DEFAULTS
                    .withLease(shape.lease())
                    .withMaxUnfinished(shape.mostUnfinished()));
    Path directory = home.resolve("data" + open.size());
    SqliteStore store = SqliteStore.open(new DataDirectory(directory), settings);
    open.add(store);
    return store;
  }

  @AfterEach
  void close() {
    open.forEach(SqliteStore::close);
  }
}
