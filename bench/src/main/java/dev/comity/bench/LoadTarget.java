package dev.comity.bench;

import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.PostgresStore;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.testkit.postgres.PostgresNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A store that is measured: a data directory or a database. */
@NullMarked
abstract class LoadTarget implements AutoCloseable {
  /** The word for a server of its own. */
  static final String OWN_SERVER = "postgres";

  /** A handle of a worker. */
  record Handle(CrawlStore store, AutoCloseable closing) implements AutoCloseable {
    @Override
    public void close() {
      try {
        closing.close();
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  static LoadTarget of(String where) {
    if (where.equals(OWN_SERVER)) {
      PostgresNode server = PostgresNode.durable();
      return new Database(server.url("postgres"), server);
    }
    return where.startsWith("jdbc:")
        ? new Database(where, () -> {})
        : new Directory(new DataDirectory(Path.of(where)), Path.of(where));
  }

  private static StoreSettings settings(String worker) {
    return StoreSettings.of(StoreLoad.POLICY, Grouping.BY_HOST, InstantSource.system())
        .named(worker)
        .with(StoreLimits.DEFAULTS.withMaxUnfinished(Integer.MAX_VALUE));
  }

  /** Opens a handle of a further worker, at the run of the others. */
  abstract Handle open(String worker);

  /** Bytes that the tables take. */
  abstract long size();

  abstract Connection reading() throws SQLException;

  /** Whether there is anything in it. */
  abstract boolean exists();

  /** Prints what only a server tells. */
  abstract void tell();

  @Override
  public abstract void close();

  private static final class Directory extends LoadTarget {
    private final DataDirectory data;
    private final Path path;
    private @Nullable SqliteStore first;

    Directory(DataDirectory data, Path path) {
      this.data = data;
      this.path = path;
    }

    @Override
    Handle open(String worker) {
      SqliteStore store =
          first == null ? SqliteStore.open(data, settings(worker)) : first.another(worker);
      first = first == null ? store : first;
      store.begin(StoreLoad.TERMS, Instant.now());
      return new Handle(
          store,
          () -> {
            store.close();
            first = store == first ? null : first;
          });
    }

    @Override
    long size() {
      try (Stream<Path> files = Files.list(path)) {
        return files.mapToLong(file -> file.toFile().length()).sum();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    Connection reading() {
      return data.reading();
    }

    @Override
    boolean exists() {
      return data.exists();
    }

    @Override
    void tell() {
      // A directory tells nothing more.
    }

    @Override
    public void close() {
      // The directory stays for the next command.
    }
  }

  private static final class Database extends LoadTarget {
    private final String url;
    private final AutoCloseable server;

    Database(String url, AutoCloseable server) {
      this.url = url;
      this.server = server;
      PostgresDatabase.at(url).migrate();
    }

    @Override
    Handle open(String worker) {
      PostgresStore store = PostgresStore.open(PostgresDatabase.at(url), settings(worker));
      store.begin(StoreLoad.TERMS, Instant.now());
      return new Handle(store, store);
    }

    private long number(String query) {
      try (Connection connection = reading();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(query)) {
        return row.next() ? row.getLong(1) : 0;
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }

    @Override
    long size() {
      return number(
          "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
              + " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace");
    }

    @Override
    Connection reading() throws SQLException {
      return DriverManager.getConnection(url);
    }

    @Override
    boolean exists() {
      return true;
    }

    @Override
    void tell() {
      // Each connection reports what it did within a second, or when it ends.
      String domains = " FROM pg_stat_user_tables WHERE relname = 'domains'";
      long updates = number("SELECT n_tup_upd" + domains);
      System.out.printf(
          Locale.ROOT,
          "%,d updates of domains, %.1f %% HOT; frontier %,d bytes in %,d rows, of it indexes"
              + " %,d%n",
          updates,
          100.0 * number("SELECT n_tup_hot_upd" + domains) / Math.max(1, updates),
          number("SELECT sum(pg_total_relation_size(oid))" + FRONTIER),
          number("SELECT count(*) FROM domain_frontier"),
          number("SELECT sum(pg_indexes_size(oid))" + FRONTIER));
    }

    private static final String FRONTIER =
        " FROM pg_class WHERE relkind = 'r' AND relname LIKE 'domain_frontier%'";

    @Override
    public void close() {
      try {
        server.close();
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
  }
}
