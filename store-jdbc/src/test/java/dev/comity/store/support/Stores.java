package dev.comity.store.support;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What tests of this store do with it. */
public final class Stores {
  public static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  public static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  public static final StoreSettings SETTINGS =
      StoreSettings.of(POLICY, Grouping.BY_HOST, () -> NOON);

  public static final RunTerms TERMS =
      new RunTerms(List.of(), new TreeMap<>(Map.of(Scope.REACH, Scope.ANYWHERE)), 1_000_000, 1000);

  private Stores() {}

  public static SqliteStore open(Path home) {
    return begun(SqliteStore.open(ReadyTables.in(home), SETTINGS));
  }

  public static SqliteStore begun(SqliteStore store) {
    store.begin(TERMS, NOON);
    return store;
  }

  public static List<QueuedUrl> seeds(String... urls) {
    return Arrays.stream(urls)
        .map(url -> QueuedUrl.seed(CrawlUrl.of(url), Optional.empty()))
        .toList();
  }

  public static QueuedUrl take(CrawlStore store, Claim claim) {
    return switch (store.frontier().next(claim, NOON)) {
      case Next.Ready(var entry) -> entry;
      case Next other -> throw new AssertionError("nothing is ready: " + other);
    };
  }

  public static Settlement page(QueuedUrl entry, Claim claim, QueuedUrl... found) {
    return fate(entry, claim, new Fate.Done(Category.SUCCESS), found);
  }

  public static Settlement fate(QueuedUrl entry, Claim claim, Fate fate, QueuedUrl... found) {
    Attempt attempt = new Attempt(entry.url(), Kind.PAGE, 1, NOON, Duration.ofSeconds(1));
    Fetched fetched =
        new Fetched(
            new Success(200, Headers.NONE, Body.of("a page")),
            Optional.of(Duration.ofMillis(80)),
            Duration.ofMillis(100),
            6);
    return new Settlement(
        entry,
        Optional.of(attempt),
        Optional.of(fetched),
        fate,
        POLICY.claimed(claim.state(), NOON),
        List.of(found),
        Optional.empty());
  }

  /** The one number a query gives, seen from outside. */
  public static long number(Path home, String query) {
    try (Connection connection = new DataDirectory(home).reading();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException failed) {
      throw new AssertionError(query, failed);
    }
  }
}
