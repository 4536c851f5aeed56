package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Settlement;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database itself holds of a domain's row: changes of its status, times and indexes. */
class DomainRulesTest {
  /** Columns of an index, of its predicate and of its expressions. */
  private static final String INDEXED =
      """
      SELECT a.attname FROM pg_attribute a WHERE a.attrelid = 'domains'::regclass AND (
        EXISTS (SELECT 1 FROM pg_depend d JOIN pg_index i ON i.indexrelid = d.objid
          WHERE d.classid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum)
        OR EXISTS (SELECT 1 FROM pg_index i
          WHERE i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey::int[])))
      """;

  private final String url = Databases.url();
  private Connection connection;
  private Statement sql;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(url);
    sql = connection.createStatement();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    Databases.giveBack(url);
  }

  private String first(String query) throws SQLException {
    try (ResultSet rows = sql.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  private Set<String> all(String query) throws SQLException {
    Set<String> all = new TreeSet<>();
    try (ResultSet rows = sql.executeQuery(query)) {
      while (rows.next()) {
        all.add(rows.getString(1));
      }
    }
    return all;
  }

  private static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  /** One domain in this status, held by a worker with token 7. */
  private void plant(DomainStatus status) throws SQLException {
    sql.execute("DELETE FROM domains; DELETE FROM transitions; DELETE FROM audit");
    sql.execute(
        """
        INSERT INTO domains (domain, parent_domain, status, claimed_by, claim_expires_at,
          claim_token, block_reason_code, cooldown_count, first_seen_at, updated_at)
        VALUES ('a.example', 'a.example', '%s', 'w', comity_millis() + 60000, 7, 'forbidden', 2, 1, 1)
        """
            .formatted(lower(status)));
  }

  private void assertIsReset(DomainStatus from) throws SQLException {
    assertThat(
            first(
                "SELECT status || ' ' || reset_by_hand || ' ' || unclean || ' ' || cooldown_count"
                    + " || coalesce(claimed_by, ' free') || coalesce(block_reason_code, '')"
                    + " FROM domains"))
        .isEqualTo("pending 1 1 0 free");
    assertThat(first("SELECT from_status || ' ' || to_status || ' ' || door FROM transitions"))
        .isEqualTo(lower(from) + " pending reset");
    assertThat(first("SELECT action || ' ' || subject FROM audit"))
        .isEqualTo("domain-reset a.example");
  }

  @Test
  void a_function_makes_resets_and_refuses_every_other_change_with_its_reason()
      throws SQLException {
    int resets = 0;
    int others = 0;
    int impossible = 0;
    for (DomainStatus from : DomainStatus.values()) {
      for (DomainStatus to : DomainStatus.values()) {
        for (Lifecycle.Cause cause : Lifecycle.Cause.values()) {
          plant(from);
          String call =
              "SELECT transition_domain_status('a.example', '%s', '%s', '%s')"
                  .formatted(lower(from), lower(to), lower(cause));
          if (!Lifecycle.allows(from, to, cause)) {
            impossible++;
            assertThatThrownBy(() -> sql.execute(call))
                .hasMessageContaining(
                    "%s cannot become %s by %s".formatted(lower(from), lower(to), lower(cause)));
          } else if (cause != Lifecycle.Cause.RESET) {
            others++;
            assertThatThrownBy(() -> sql.execute(call))
                .hasMessageContaining("a change by " + lower(cause) + " is the program's to make");
          } else {
            resets++;
            assertThat(first(call)).isEqualTo("t");
            assertIsReset(from);
            continue;
          }
          assertThat(first("SELECT status || ' ' || version FROM domains"))
              .isEqualTo(lower(from) + " 0");
        }
      }
    }
    assertThat(List.of(resets, others, impossible)).containsExactly(5, 19, 151);
  }

  @Test
  void a_reset_by_the_function_needs_the_status_and_the_token_it_names() throws SQLException {
    plant(DomainStatus.BLOCKED);
    String call = "SELECT transition_domain_status('%s', '%s', 'pending', 'reset', %s)";
    assertThat(first(call.formatted("a.example", "active", "NULL"))).isEqualTo("f");
    assertThat(first(call.formatted("b.example", "blocked", "NULL"))).isEqualTo("f");
    assertThat(first(call.formatted("a.example", "blocked", "6"))).isEqualTo("f");
    assertThat(first("SELECT status FROM domains")).isEqualTo("blocked");
    assertThat(first(call.formatted("a.example", "blocked", "7"))).isEqualTo("t");
    assertIsReset(DomainStatus.BLOCKED);
  }

  @Test
  void a_status_by_hand_is_a_reset_or_refused_with_the_command_on_table_and_view()
      throws SQLException {
    for (String table : List.of("public.domains", "seed.domains")) {
      for (DomainStatus from : DomainStatus.values()) {
        for (DomainStatus to : DomainStatus.values()) {
          plant(from);
          String update = "UPDATE %s SET status = '%s'".formatted(table, lower(to));
          if (to == DomainStatus.PENDING && !(from == to && table.startsWith("seed"))) {
            sql.execute(update);
            assertIsReset(from);
          } else if (from == to && table.startsWith("seed")) {
            // Through the view the same status is no change.
            sql.execute(update);
            assertThat(first("SELECT version FROM domains")).isEqualTo("0");
          } else {
            assertThatThrownBy(() -> sql.execute(update))
                .hasMessageContaining("%s cannot become %s".formatted(lower(from), lower(to)))
                .hasMessageContaining("comity domain-reset NAME")
                .hasMessageContaining("comity domain-block NAME");
            assertThat(first("SELECT status || ' ' || version FROM domains"))
                .isEqualTo(lower(from) + " 0");
          }
        }
      }
    }
  }

  @Test
  void the_time_of_the_last_change_follows_every_change() throws SQLException {
    plant(DomainStatus.ACTIVE);
    sql.execute("UPDATE domains SET paused = 1");
    assertThat(first("SELECT updated_at > comity_millis() - 60000 FROM domains")).isEqualTo("t");
    sql.execute("UPDATE domains SET paused = 0, updated_at = 5");
    assertThat(first("SELECT updated_at FROM domains")).isEqualTo("5");
  }

  /** The design's indexes, each by what it is for; names and columns are those of this store. */
  @Test
  void every_index_of_the_design_has_one_that_serves_the_same() throws SQLException {
    assertThat(all("SELECT indexname FROM pg_indexes WHERE tablename = 'domains'"))
        .contains(
            "domains_status",
            "domains_candidates", // priority_score, last_crawled, discovery_candidates
            "domains_cooling", // next_crawl
            "domains_refresh", // refresh_candidates
            "domains_yield",
            "domains_source",
            "domains_claims",
            "domains_holders");
    assertThat(first("SELECT indexdef FROM pg_indexes WHERE indexname = 'domains_candidates'"))
        .contains("(claim_class, priority_score DESC, last_crawled_at NULLS FIRST)")
        .contains("WHERE ((claimable_at = 0) AND (claimed_by IS NULL))");
    assertThat(first("SELECT indexdef FROM pg_indexes WHERE indexname = 'domains_yield'"))
        .contains("(refresh_yield DESC, next_crawl_after)");
  }

  @Test
  void no_column_that_a_settle_changes_is_in_an_index() throws SQLException {
    Set<String> changed = new TreeSet<>();
    try (PostgresStore store =
        PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS.named("w"))) {
      store.begin(Stores.TERMS, Stores.NOON);
      store.add(
          Stores.seeds(
              "http://a.example/",
              "http://a.example/1",
              "http://a.example/2",
              "http://a.example/3"),
          Stores.NOON);
      Claim claim = store.claim(1, Stores.NOON).getFirst();
      List<Fate> fates =
          List.of(
              new Fate.Done(Category.SUCCESS),
              new Fate.Retry(Stores.NOON.plusSeconds(60), true),
              new Fate.Failed(Category.TIMEOUT),
              new Fate.Skipped());
      for (int n = 0; n < fates.size(); n++) {
        sql.execute("DROP TABLE IF EXISTS before");
        sql.execute("CREATE TEMP TABLE before AS SELECT to_jsonb(d) AS row FROM domains d");
        Settlement settled =
            Stores.fate(
                ServerStores.take(store, claim),
                claim,
                fates.get(n),
                ServerStores.seed("http://a.example/new" + n));
        store.settle(claim, settled);
        changed.addAll(
            all(
                "SELECT n.key FROM domains d, before b, jsonb_each(to_jsonb(d)) n"
                    + " WHERE n.value IS DISTINCT FROM b.row -> n.key"));
      }
    }
    assertThat(changed)
        .contains("pages_crawled", "requests", "image_yield_rate", "frontier_size", "version");
    assertThat(all(INDEXED)).contains("status", "claimable_at", "refresh_yield", "domain", "id");
    assertThat(all(INDEXED)).doesNotContainAnyElementsOf(changed);
    sql.execute("CREATE INDEX domains_wrong ON domains (id) WHERE pages_crawled > 9");
    try {
      assertThat(all(INDEXED)).contains("pages_crawled");
    } finally {
      sql.execute("DROP INDEX domains_wrong");
    }
  }
}
