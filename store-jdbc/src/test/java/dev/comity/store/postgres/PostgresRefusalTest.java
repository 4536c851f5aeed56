package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static dev.comity.store.postgres.ServerStores.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import dev.comity.testkit.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that has no room for a while, or refuses a single piece. */
class PostgresRefusalTest {
  private final PostgresNode server = PostgresNode.primary();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final String url = server.url("postgres");
  private final PostgresStore store = open();

  private PostgresStore open() {
    StoreSettings settings = Stores.SETTINGS.telling(told::add);
    PostgresStore opened = PostgresStore.open(PostgresDatabase.at(url), settings);
    opened.begin(Stores.TERMS, NOON);
    return opened;
  }

  @AfterEach
  void close() {
    store.close();
    server.close();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /** Makes the log refuse rows with this error while the table has a row. */
  private void refuse(String error, String when) throws SQLException {
    run(
        """
        CREATE TABLE refusing (n INTEGER);
        INSERT INTO refusing VALUES (1);
        CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
          IF EXISTS (SELECT 1 FROM refusing) AND %s THEN
            RAISE EXCEPTION 'refused by the test' USING ERRCODE = '%s';
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER refusing BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION refuse();
        """
            .formatted(when, error));
  }

  @Test
  void a_full_disk_is_waited_for() throws Exception {
    store.add(Stores.seeds("http://a.example/"), NOON);
    Claim claim = store.claim(1, NOON).getFirst();
    QueuedUrl entry = take(store, claim);
    refuse("53100", "true");
    CompletableFuture<?> settling =
        CompletableFuture.supplyAsync(() -> store.settle(claim, Stores.page(entry, claim)));
    assertThat(told.take()).contains("refused by the test");
    run("DELETE FROM refusing");
    settling.join();
    assertThat(told.take()).isEmpty();
    assertThat(number("SELECT pages_crawled FROM domains")).isEqualTo(1);
  }

  @Test
  void a_piece_that_cannot_be_written_fails_alone() throws Exception {
    store.add(Stores.seeds("http://a.example/", "http://b.example/", "http://c.example/"), NOON);
    List<Claim> claims = store.claim(3, NOON);
    refuse("23514", "NEW.domain_id = (SELECT id FROM domains WHERE domain = 'b.example')");
    // The first group waits; the others gather behind it and are written together.
    CompletableFuture<?>[] settling = new CompletableFuture<?>[3];
    try (Connection other = DriverManager.getConnection(url)) {
      other.setAutoCommit(false);
      try (Statement statement = other.createStatement()) {
        statement.execute("SELECT 1 FROM lanes WHERE lane = 'flush' FOR UPDATE");
        for (int n = 0; n < 3; n++) {
          Claim claim = claims.get(n);
          QueuedUrl entry = take(store, claim);
          settling[n] =
              CompletableFuture.supplyAsync(() -> store.settle(claim, Stores.page(entry, claim)));
        }
      }
      other.commit();
    }
    for (int n = 0; n < 3; n++) {
      CompletableFuture<?> one = settling[n];
      if (claims.get(n).domain().name().equals("b.example")) {
        assertThatThrownBy(one::join).hasMessageContaining("refused by the test");
      } else {
        one.join();
      }
    }
    assertThat(number("SELECT count(*) FROM pages")).isEqualTo(2);
    assertThat(number("SELECT count(*) FROM crawl_log")).isEqualTo(2);
    assertThat(store.begin(Stores.TERMS, NOON).pages()).isEqualTo(2);
    assertThat(told).isEmpty();
  }
}
