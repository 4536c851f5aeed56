package dev.comity.store.postgres;

import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Databases for tests: each begins with the tables and without rows. To empty one is ten times
 * faster than to make one.
 */
final class Databases {
  private static final String TEMPLATE = "comity_tables";

  private static final String EMPTY =
      """
      DO $$
      DECLARE name TEXT;
      BEGIN
        SET LOCAL session_replication_role = replica;
        FOR name IN SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p')
            AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
            AND c.relname NOT IN ('flyway_schema_history', 'status_changes') LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
      END $$
      """;

  private static final Deque<String> USED = new ArrayDeque<>();

  private Databases() {}

  private static final class Made {
    static {
      PostgresServer.shared().newTemplate(TEMPLATE, url -> PostgresDatabase.at(url).migrate());
    }

    static String copy() {
      return PostgresServer.shared().newDatabase(TEMPLATE);
    }
  }

  /** The address of a database. */
  static synchronized String url() {
    String used = USED.poll();
    return used == null ? Made.copy() : emptied(used);
  }

  private static String emptied(String url) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(EMPTY);
      return url;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** No test uses it any more: the next one may. */
  static synchronized void giveBack(String url) {
    USED.add(url);
  }
}
