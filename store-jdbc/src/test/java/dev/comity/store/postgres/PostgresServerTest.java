package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

  private static String first(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void a_test_has_a_database_of_its_own() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String one = server.newDatabase();
    String other = server.newDatabase();
    assertThat(first(one, "SELECT current_database()"))
        .isNotEqualTo(first(other, "SELECT current_database()"));
    assertThat(Integer.parseInt(first(one, "SHOW server_version_num")))
        .isGreaterThanOrEqualTo(150_000);
    assertThat(first(one, "SHOW fsync")).isEqualTo("off");
  }

  @Test
  void a_server_ends_when_the_pipe_to_its_shell_closes() throws Exception {
    PostgresServer server = PostgresServer.start();
    String home = first(server.url("postgres"), "SHOW data_directory");
    // A process that is killed closes its pipes, too.
    server.watch().outputWriter().close();
    assertThat(server.watch().waitFor()).isZero();
    assertThat(java.nio.file.Path.of(home)).doesNotExist();
  }
}
