package dev.comity.store.redis;

import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.testkit.contract.CrawlStoreContract;
import dev.comity.testkit.contract.FrontierContract;
import dev.comity.testkit.contract.StoreShape;
import dev.comity.testkit.redis.RedisCluster;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores, with queues on a cluster of three masters of Redis. */
class RedisClusterStoreTest implements CrawlStoreContract, FrontierContract {
  private static RedisCluster server;
  @TempDir private Path home;
  private RedisContracts stores;

  @BeforeAll
  static void start() {
    server = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() {
    stores = new RedisContracts(home, server.url());
  }

  @AfterEach
  void close() {
    stores.close();
  }

  @Override
  public CrawlStore store(StoreShape shape, InstantSource clock) {
    return stores.store(shape, clock);
  }

  @Override
  public CrawlStore another(CrawlStore store, String worker) {
    return stores.another(store, worker);
  }

  @Override
  public Operations operations(CrawlStore store) {
    return stores.operations(store);
  }

  @Override
  public Reports reports(CrawlStore store) {
    return stores.reports(store);
  }
}
