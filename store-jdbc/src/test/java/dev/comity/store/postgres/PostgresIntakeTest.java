package dev.comity.store.postgres;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.Claim;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.Intake;
import dev.comity.store.operate.IntakeContract;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.PostgresSources;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seeds brought into a database beside its workers. */
class PostgresIntakeTest implements IntakeContract {
  private String url;

  @BeforeEach
  void open() {
    url = Databases.url();
  }

  @AfterEach
  void giveBack() {
    Databases.giveBack(url);
  }

  private PostgresDatabase database() {
    return PostgresDatabase.at(url).by(() -> NOON);
  }

  @Override
  public PostgresStore store(StoreSettings settings) {
    return PostgresStore.open(database(), settings);
  }

  @Override
  public Intake intake(StoreSettings settings) {
    return DatabaseIntake.open(database(), settings);
  }

  @Override
  public SourceOperations sources() {
    return new PostgresSources(database(), "a test");
  }

  /** Counters and arrivals are those of the URLs that there are. */
  @Override
  public void addsUp(List<String> excused) {
    assertThat(
            number(
                """
                SELECT count(*) FROM domains d WHERE
                  d.frontier_size + (SELECT coalesce(sum(a.discovered), 0) FROM arrivals a
                    WHERE a.domain_id = d.id)
                  <> (SELECT count(*) FROM domain_frontier f
                    WHERE f.domain_id = d.id AND f.state = 0)
                """))
        .isZero();
  }

  private long number(String query) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    } catch (SQLException failed) {
      throw new AssertionError(query, failed);
    }
  }

  @Test
  void the_intake_is_no_worker_and_draws_nothing_of_a_budget() {
    try (PostgresStore store = store(Stores.SETTINGS);
        Intake intake = intake(Stores.SETTINGS)) {
      store.begin(Stores.TERMS, NOON);
      intake.take(seeds("http://a.example/"), Map.of(), NOON);
      assertThat(number("SELECT count(*) FROM workers")).isOne();
      assertThat(number("SELECT allotted FROM crawl_runs")).isZero();
      assertThat(store.claim(1, NOON)).hasSize(1);
    }
  }

  @Test
  void any_worker_may_claim_what_is_taken_in() {
    try (PostgresStore one = store(Stores.SETTINGS);
        PostgresStore other = one.another("other");
        Intake intake = intake(Stores.SETTINGS)) {
      one.begin(Stores.TERMS, NOON);
      other.begin(Stores.TERMS, NOON);
      assertThat(one.claim(9, NOON)).isEmpty();
      intake.take(seeds("http://a.example/", "http://b.example/"), Map.of(), NOON);
      Claim mine = one.claim(1, NOON).getFirst();
      Claim others = other.claim(9, NOON).getFirst();
      assertThat(others.domain()).isNotEqualTo(mine.domain());
      intake.take(seeds("http://a.example/2", "http://b.example/2"), Map.of(), NOON);
      assertThat(Stores.take(one, mine).url()).isNotEqualTo(Stores.take(one, mine).url());
      assertThat(Stores.take(other, others).url()).isNotEqualTo(Stores.take(other, others).url());
    }
  }
}
