package dev.comity.store.sqlite;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.DirectoryOperations;
import dev.comity.store.operate.DirectorySources;
import dev.comity.store.report.StoreReader;
import dev.comity.store.support.ReadyTables;
import dev.comity.testkit.contract.CrawlStoreContract;
import dev.comity.testkit.contract.FrontierContract;
import dev.comity.testkit.contract.ImageContract;
import dev.comity.testkit.contract.RefreshContract;
import dev.comity.testkit.contract.SourceContract;
import dev.comity.testkit.contract.StoreShape;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest
    implements CrawlStoreContract,
        ImageContract,
        RefreshContract,
        SourceContract,
        FrontierContract {
  @TempDir private Path home;
  private final List<SqliteStore> open = new ArrayList<>();
  private final List<StoreReader> readers = new ArrayList<>();
  private final Map<CrawlStore, DirectoryOperations> operations = new HashMap<>();

  @Override
  public CrawlStore store(StoreShape shape, InstantSource clock) {
    StoreSettings settings =
        StoreSettings.of(new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, clock)
            .with(
                StoreLimits.DEFAULTS
                    .withLease(shape.lease())
                    .withMaxUnfinished(shape.mostUnfinished()));
    DataDirectory directory = ReadyTables.in(home.resolve("data" + open.size()));
    SqliteStore store = SqliteStore.open(directory, settings);
    open.add(store);
    operations.put(store, new DirectoryOperations(directory, "a test", clock));
    return store;
  }

  @Override
  public CrawlStore another(CrawlStore store, String worker) {
    SqliteStore other = ((SqliteStore) store).another(worker);
    open.add(other);
    return other;
  }

  @Override
  public Operations operations(CrawlStore store) {
    return Objects.requireNonNull(operations.get(store));
  }

  @Override
  public SourceOperations sources(CrawlStore store) {
    DirectoryOperations operator = Objects.requireNonNull(operations.get(store));
    return new DirectorySources(operator.directory(), operator.actor(), operator.clock());
  }

  @Override
  public Reports reports(CrawlStore store) {
    StoreReader reader =
        StoreReader.open(Objects.requireNonNull(operations.get(store)).directory());
    readers.add(reader);
    return reader;
  }

  @AfterEach
  void close() {
    readers.forEach(StoreReader::close);
    open.forEach(SqliteStore::close);
  }
}
