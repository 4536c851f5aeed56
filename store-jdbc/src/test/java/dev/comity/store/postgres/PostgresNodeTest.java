package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresNodeTest {

  private static void run(PostgresNode node, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(node.url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int rows(PostgresNode node) throws SQLException {
    try (Connection connection = DriverManager.getConnection(node.url("postgres"));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM kept")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  @Test
  void what_was_committed_survives_a_crash_and_the_promotion_of_a_synchronous_standby()
      throws Exception {
    try (PostgresNode primary = PostgresNode.primary()) {
      run(primary, "CREATE TABLE kept (n INT)");
      run(primary, "INSERT INTO kept VALUES (1)");
      primary.crash();
      primary.start();
      assertThat(rows(primary)).isEqualTo(1);
      try (PostgresNode standby = PostgresNode.standbyOf(primary)) {
        run(primary, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        run(primary, "SELECT pg_reload_conf()");
        run(primary, "INSERT INTO kept VALUES (2)");
        primary.crash();
        standby.promote();
        run(standby, "INSERT INTO kept VALUES (3)");
        assertThat(rows(standby)).isEqualTo(3);
      }
      assertThat(primary.home()).exists();
    }
  }
}
