package dev.comity.store.redis;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.PostgresOperations;
import dev.comity.store.postgres.PostgresStore;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.PostgresReports;
import dev.comity.testkit.contract.FrontierContract;
import dev.comity.testkit.contract.StoreShape;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.redis.RedisServer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract of frontiers, with workers on PostgreSQL and queues on a server of Redis. */
class RedisPostgresStoreTest implements FrontierContract {
  private static final int WINDOW = 2;
  private static final String TEMPLATE = "comity_redis_tables";

  private static RedisServer redis;
  private RedisLink link;
  private final List<Runnable> open = new ArrayList<>();
  private final Map<CrawlStore, Parts> stores = new HashMap<>();

  private record Parts(
      PostgresStore inner, StoreSettings settings, PostgresDatabase database, String namespace) {}

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    PostgresServer.shared().newTemplate(TEMPLATE, url -> PostgresDatabase.at(url).migrate());
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void connect() {
    link = RedisLink.connect(RedisAddress.parse(redis.url()), _ -> {});
  }

  @AfterEach
  void close() {
    open.forEach(Runnable::run);
    link.close();
  }

  @Override
  public CrawlStore store(StoreShape shape, InstantSource clock) {
    StoreSettings settings =
        StoreSettings.of(new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, clock)
            .with(
                StoreLimits.DEFAULTS
                    .withLease(shape.lease())
                    .withMaxUnfinished(shape.mostUnfinished()));
    PostgresDatabase database =
        PostgresDatabase.at(PostgresServer.shared().newDatabase(TEMPLATE)).by(clock);
    return with(
        new Parts(
            PostgresStore.open(database, settings),
            settings,
            database,
            UUID.randomUUID().toString()));
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

  @Override
  public CrawlStore another(CrawlStore store, String worker) {
    Parts parts = parts(store);
    return with(
        new Parts(
            parts.inner().another(worker),
            parts.settings().named(worker),
            parts.database(),
            parts.namespace()));
  }

  @Override
  public Operations operations(CrawlStore store) {
    Parts parts = parts(store);
    return new PostgresOperations(parts.database(), "a test", parts.settings().limits());
  }

  @Override
  public Reports reports(CrawlStore store) {
    PostgresReports reader = new PostgresReports(parts(store).database());
    open.addFirst(reader::close);
    return reader;
  }

  private Parts parts(CrawlStore store) {
    return Objects.requireNonNull(stores.get(store));
  }
}
