package dev.comity.store.redis;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.DirectoryOperations;
import dev.comity.store.report.StoreReader;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.testkit.contract.StoreShape;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Data directories whose queues are in Redis, two URLs at a time in the directory. */
final class RedisContracts {
  private static final int WINDOW = 2;

  private final Path home;
  private final RedisLink link;
  private final List<Runnable> open = new ArrayList<>();
  private final Map<CrawlStore, Parts> stores = new HashMap<>();

  private record Parts(
      SqliteStore inner, StoreSettings settings, DataDirectory directory, String namespace) {}

  RedisContracts(Path home, String url) {
    this.home = home;
    link = RedisLink.connect(RedisAddress.parse(url), _ -> {});
  }

  CrawlStore store(StoreShape shape, InstantSource clock) {
    StoreSettings settings =
        StoreSettings.of(new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, clock)
            .with(
                StoreLimits.DEFAULTS
                    .withLease(shape.lease())
                    .withMaxUnfinished(shape.mostUnfinished()));
    DataDirectory directory = new DataDirectory(home.resolve("data" + stores.size()));
    SqliteStore inner = SqliteStore.open(directory, settings);
    return with(new Parts(inner, settings, directory, UUID.randomUUID().toString()));
  }

  private CrawlStore with(Parts parts) {
    open.addFirst(parts.inner()::close);
    RedisFrontierStore store =
        new RedisFrontierStore(
            parts.inner(),
            parts.inner().checkpoints(),
            parts.settings(),
            link,
            parts.namespace(),
            WINDOW);
    stores.put(store, parts);
    return store;
  }

  CrawlStore another(CrawlStore store, String worker) {
    Parts parts = parts(store);
    return with(
        new Parts(
            parts.inner().another(worker),
            parts.settings().named(worker),
            parts.directory(),
            parts.namespace()));
  }

  Operations operations(CrawlStore store) {
    Parts parts = parts(store);
    return new DirectoryOperations(parts.directory(), "a test", parts.settings().clock());
  }

  Reports reports(CrawlStore store) {
    StoreReader reader = StoreReader.open(parts(store).directory());
    open.addFirst(reader::close);
    return reader;
  }

  private Parts parts(CrawlStore store) {
    return Objects.requireNonNull(stores.get(store));
  }

  void close() {
    open.forEach(Runnable::run);
    link.close();
  }
}
