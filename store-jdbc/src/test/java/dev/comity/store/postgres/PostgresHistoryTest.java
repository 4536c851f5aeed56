package dev.comity.store.postgres;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.Grouping;
import dev.comity.store.backfill.Backfill;
import dev.comity.store.backfill.HistoryContract;
import dev.comity.store.backfill.HistoryStore;
import dev.comity.store.backfill.HistoryStore.Opened;
import dev.comity.store.backfill.LeftOutRows;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastVisit;
import dev.comity.store.backfill.PostgresHistory;
import dev.comity.store.backfill.StagedHistory;
import dev.comity.store.postgres.connect.PostgresDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another program's history on a server. */
class PostgresHistoryTest implements HistoryContract {
  private String url;

  @BeforeEach
  void open() {
    url = Databases.url();
  }

  @AfterEach
  void giveBack() {
    Databases.giveBack(url);
  }

  @Override
  public HistoryStore history() {
    return PostgresHistory.open(PostgresDatabase.at(url).by(() -> NOON), SETTINGS);
  }

  @Override
  public Map<String, String> rows(String query) {
    Map<String, String> rows = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        rows.put(found.getString(1), found.getString(2));
      }
      return rows;
    } catch (SQLException failed) {
      throw new AssertionError(query, failed);
    }
  }

  @Test
  void a_domain_that_a_worker_holds_is_left_out_and_named() throws SQLException {
    try (StagedHistory staged = StagedHistory.make();
        HistoryStore store = history()) {
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimed_by)"
                + " VALUES ('a.example', 'a.example', 0, 0, 'a worker')");
      }
      PastRows rows = new PastRows(staged, Grouping.BY_HOST, new LeftOutRows(), _ -> {}, NOON);
      rows.listed("list", 1, "https://a.example/", PastVisit::queued);
      rows.listed("list", 2, "https://b.example/", PastVisit::queued);
      Backfill.BackfillResult done =
          new Backfill(staged, "import_test", false).write(store, _ -> {});
      assertThat(done.domains()).isEqualTo(Map.of(Opened.HELD, 1L, Opened.NEW, 1L));
      assertThat(done.held()).containsExactly("a.example");
    }
    assertThat(rows("SELECT domain, frontier_size FROM domains"))
        .isEqualTo(Map.of("a.example", "0", "b.example", "1"));
  }
}
