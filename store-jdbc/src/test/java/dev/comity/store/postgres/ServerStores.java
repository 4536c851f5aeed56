package dev.comity.store.postgres;

import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Stores of several workers on one database, and connections that get in their way. */
final class ServerStores {
  static final Instant NOON = Stores.NOON;

  private final List<AutoCloseable> open = new ArrayList<>();
  final String url = Databases.url();

  PostgresStore store(String worker) {
    return store(worker, Stores.TERMS);
  }

  PostgresStore store(String worker, RunTerms terms) {
    StoreSettings settings = Stores.SETTINGS.named(worker).with(StoreLimits.DEFAULTS);
    PostgresStore store = PostgresStore.open(PostgresDatabase.at(url), settings);
    open.add(store);
    store.begin(terms, NOON);
    return store;
  }

  /** A connection whose changes are seen when it commits. */
  Connection connection() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    open.add(connection);
    return connection;
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /** Waits until so many statements wait for locks, or this is done. */
  void awaitLocks(int statements, CompletableFuture<?> or) throws SQLException {
    while (!or.isDone()
        && number(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND datname = current_database()")
            < statements) {
      Thread.onSpinWait();
    }
  }

  /**
   * Starts this while a connection is in its way, lets it wait, commits, and returns its result.
   */
  <T> T after(Connection commit, Supplier<T> work) throws SQLException {
    CompletableFuture<T> waiting = CompletableFuture.supplyAsync(work);
    awaitLocks(1, waiting);
    if (waiting.isDone()) {
      throw new IllegalStateException("it did not wait: " + waiting.join());
    }
    commit.commit();
    return waiting.join();
  }

  static QueuedUrl take(PostgresStore store, Claim claim) {
    if (store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)) {
      return entry;
    }
    throw new AssertionError("nothing is ready");
  }

  static QueuedUrl seed(String url) {
    return QueuedUrl.seed(CrawlUrl.of(url), Optional.empty());
  }

  /** Closes all, the last first. */
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    Databases.giveBack(url);
  }
}
