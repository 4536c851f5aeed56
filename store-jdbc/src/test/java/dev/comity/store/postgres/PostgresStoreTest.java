package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.PostgresReports;
import dev.comity.store.postgres.rows.PostgresSources;
import dev.comity.testkit.contract.CrawlStoreContract;
import dev.comity.testkit.contract.FrontierContract;
import dev.comity.testkit.contract.ImageContract;
import dev.comity.testkit.contract.RefreshContract;
import dev.comity.testkit.contract.SourceContract;
import dev.comity.testkit.contract.StoreShape;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInfo;

class PostgresStoreTest
    implements CrawlStoreContract,
        ImageContract,
        RefreshContract,
        SourceContract,
        FrontierContract {
  private static final Set<String> UNPACED = Set.of("spacing", "rests", "times");

  private final List<String> urls = new ArrayList<>();
  private final List<PostgresStore> open = new ArrayList<>();
  private final List<PostgresReports> reports = new ArrayList<>();
  private final Map<CrawlStore, PostgresOperations> operations = new HashMap<>();

  @Override
  public CrawlStore store(StoreShape shape, InstantSource clock) {
    StoreLimits limits =
        StoreLimits.DEFAULTS.withLease(shape.lease()).withMaxUnfinished(shape.mostUnfinished());
    StoreSettings settings =
        StoreSettings.of(new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, clock)
            .with(limits);
    String url = Databases.url();
    urls.add(url);
    PostgresDatabase database = PostgresDatabase.at(url).by(clock);
    PostgresStore store = PostgresStore.open(database, settings);
    open.add(store);
    operations.put(store, new PostgresOperations(database, "a test", limits));
    return store;
  }

  @Override
  public CrawlStore another(CrawlStore store, String worker) {
    PostgresStore other = ((PostgresStore) store).another(worker);
    open.add(other);
    return other;
  }

  @Override
  public Operations operations(CrawlStore store) {
    return Objects.requireNonNull(operations.get(store));
  }

  @Override
  public SourceOperations sources(CrawlStore store) {
    PostgresOperations operator = Objects.requireNonNull(operations.get(store));
    return new PostgresSources(operator.database(), operator.actor());
  }

  @Override
  public Reports reports(CrawlStore store) {
    PostgresReports reader =
        new PostgresReports(Objects.requireNonNull(operations.get(store)).database());
    reports.add(reader);
    return reader;
  }

  /** The doctor looks after one test in four, by name: after each it takes as long as all tests. */
  @AfterEach
  void close(TestInfo test) {
    reports.forEach(PostgresReports::close);
    open.forEach(PostgresStore::close);
    if (test.getDisplayName().hashCode() % 4 == 0) {
      urls.forEach(PostgresStoreTest::examine);
    }
    urls.forEach(Databases::giveBack);
  }

  /** The contract paces no requests, and its states are not those of a policy. */
  private static void examine(String url) {
    assertThat(new Doctor(ServerDatabase.at(url)).examine(_ -> {}))
        .filteredOn(one -> !UNPACED.contains(one.check()))
        .flatMap(Examination::findings)
        .filteredOn(
            one ->
                !one.words().contains(" by `holder` is not allowed")
                    && !one.words().startsWith("its last start is kept as "))
        .isEmpty();
  }
}
