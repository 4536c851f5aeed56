package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.store.ServerDatabase;
import dev.comity.store.open.OpenStore;
import dev.comity.testkit.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The switches of the phases, as a process is started with them. */
class PhasesTest {
  private static final List<String> SWITCHES =
      List.of(
          "ENABLE_DOMAIN_TRACKING",
          "ENABLE_PER_DOMAIN_BUDGET",
          "ENABLE_SMART_SCHEDULING",
          "ENABLE_CLAIM_PROTOCOL",
          "ENABLE_REFRESH_MODE");

  @TempDir private Path home;

  private static final class Template {
    static {
      PostgresServer.shared()
          .newTemplate("phases", url -> OpenStore.upgrade(ServerDatabase.at(url)));
    }

    static String copy() {
      return PostgresServer.shared().newDatabase("phases");
    }
  }

  /** Where something is kept: a data directory, or a database. */
  private record Place(String option, String value, String jdbc) {
    static Place directory(Path data) {
      return new Place("--data", data.toString(), "jdbc:sqlite:" + data.resolve("comity.db"));
    }

    static Place database() {
      String url = Template.copy();
      return new Place("--db", url, url);
    }

    boolean isServer() {
      return option.equals("--db");
    }

    String text(String query) throws SQLException {
      try (Connection connection = DriverManager.getConnection(jdbc);
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        return rows.next() ? String.valueOf(rows.getString(1)) : "none";
      }
    }

    void run(String sql) throws SQLException {
      try (Connection connection = DriverManager.getConnection(jdbc);
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  private Said run(Map<String, String> switches, Place place, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(place.option, place.value));
    Setup setup = new Setup(home);
    switches.forEach(setup::variable);
    return setup.run(all.toArray(String[]::new));
  }

  private static Map<String, String> switches(int bits) {
    Map<String, String> switches = new LinkedHashMap<>();
    for (int n = 0; n < SWITCHES.size(); n++) {
      switches.put(SWITCHES.get(n), String.valueOf((bits >> n & 1) != 0));
    }
    return switches;
  }

  private static boolean isOn(Map<String, String> switches, int number) {
    return Boolean.parseBoolean(switches.get(SWITCHES.get(number)));
  }

  private static void assertRefused(Said said, Map<String, String> switches) {
    assertThat(said.code()).as("%s: %s", switches, said).isEqualTo(2);
    assertThat(said.err()).as("%s", switches).contains("ENABLE_").contains("to true");
  }

  @Test
  void a_crawl_with_each_of_32_combinations_works_or_is_refused_before_it_asks_anything()
      throws Exception {
    try (Site site = Site.open().page("/", "Home")) {
      for (int bits = 0; bits < 32; bits++) {
        Map<String, String> switches = switches(bits);
        for (Place place :
            List.of(Place.directory(home.resolve("data" + bits)), Place.database())) {
          int before = site.asked().size();
          Said said =
              run(switches, place, "crawl", site.url("/"), "--delay", "0", "-q", "--no-sitemaps");
          boolean refused =
              place.isServer() && isOn(switches, 0) && isOn(switches, 3) && !isOn(switches, 2);
          if (refused) {
            assertRefused(said, switches);
            assertThat(said.err()).contains("ENABLE_SMART_SCHEDULING is off");
            assertThat(site.asked()).hasSize(before);
            continue;
          }
          assertThat(said.code()).as("%s: %s", switches, said.err()).isZero();
          assertThat(site.asked().subList(before, site.asked().size())).contains("/");
          if (isOn(switches, 0)) {
            assertThat(place.text("SELECT count(*) FROM pages")).isEqualTo("1");
          } else if (place.isServer()) {
            assertThat(place.text("SELECT count(*) FROM domains")).isEqualTo("0");
          } else {
            assertThat(Files.exists(Path.of(place.value))).isFalse();
          }
        }
      }
    }
  }

  @Test
  void a_worker_and_a_refresh_with_each_combination_begin_or_are_refused() throws Exception {
    try (Site site = Site.open().page("/", "Home")) {
      Place directory = Place.directory(home.resolve("data"));
      Place database = Place.database();
      for (Place place : List.of(directory, database)) {
        String[] crawl = {"crawl", site.url("/"), "--delay", "0", "-q"};
        assertThat(run(Map.of(), place, crawl).code()).isZero();
      }
      for (int bits = 0; bits < 32; bits++) {
        Map<String, String> switches = switches(bits);
        Said worker = run(switches, database, "worker", "--once");
        if (isOn(switches, 0) && (isOn(switches, 2) || !isOn(switches, 3))) {
          assertThat(worker.code()).as("%s: %s", switches, worker.err()).isZero();
        } else {
          assertRefused(worker, switches);
        }
        assertThat(run(switches, directory, "worker", "--once").err()).contains("db is not set");
        boolean refreshes = isOn(switches, 0) && isOn(switches, 3) && isOn(switches, 4);
        for (Place place : List.of(directory, database)) {
          Said refresh = run(switches, place, "refresh", "--plan");
          if (refreshes && (isOn(switches, 2) || !place.isServer())) {
            assertThat(refresh.code()).as("%s: %s", switches, refresh.err()).isZero();
          } else {
            assertRefused(refresh, switches);
          }
        }
      }
    }
  }

  /** Six pages, two of them in each crawl: with the switches on, off, and on again. */
  @ParameterizedTest
  @CsvSource({
    "false, ENABLE_PER_DOMAIN_BUDGET", "true, ENABLE_PER_DOMAIN_BUDGET",
    "false, ENABLE_SMART_SCHEDULING", "true, ENABLE_SMART_SCHEDULING+ENABLE_CLAIM_PROTOCOL",
    "false, ENABLE_CLAIM_PROTOCOL", "true, ENABLE_CLAIM_PROTOCOL",
    "false, ENABLE_REFRESH_MODE", "true, ENABLE_REFRESH_MODE",
    "false, ENABLE_DOMAIN_TRACKING", "true, ENABLE_DOMAIN_TRACKING"
  })
  void a_phase_that_is_rolled_back_and_begun_again_loses_nothing(boolean server, String names)
      throws Exception {
    Place place = server ? Place.database() : Place.directory(home.resolve("data"));
    Map<String, String> off = new LinkedHashMap<>();
    for (String name : names.split("\\+", -1)) {
      off.put(name, "false");
    }
    boolean kept = !names.contains("TRACKING");
    try (Site site =
        Site.open()
            .page("/", "Home", "/1", "/2", "/3", "/4", "/5")
            .page("/1", "1")
            .page("/2", "2")
            .page("/3", "3")
            .page("/4", "4")
            .page("/5", "5")) {
      String[] crawl = {
        "crawl", site.url("/"), "--delay", "0", "-q", "--no-sitemaps", "--max-pages", "2"
      };
      assertThat(run(Map.of(), place, crawl).code()).isZero();
      String name = "127.0.0.1:" + site.port();
      assertThat(run(Map.of(), place, "domain", "set", name, "--concurrency", "1").code()).isZero();
      assertThat(facts(place)).isEqualTo("2 pages, 4 left, 1 at once");
      Said rolledBack = run(off, place, crawl);
      assertThat(rolledBack.code()).as(rolledBack.err()).isZero();
      assertThat(facts(place))
          .isEqualTo(kept ? "4 pages, 2 left, 1 at once" : "2 pages, 4 left, 1 at once");
      if (names.contains("REFRESH")) {
        assertRefused(run(off, place, "refresh"), off);
      }
      // One crawl may find the run of the crawl before it on wider terms, with its budget spent.
      for (int crawls = 0; crawls < 3 && facts(place).compareTo("6 pages") < 0; crawls++) {
        assertThat(run(Map.of(), place, crawl).code()).isZero();
      }
      assertThat(facts(place)).isEqualTo("6 pages, 0 left, 1 at once");
      assertThat(place.text("SELECT count(*) - count(DISTINCT url_id) FROM pages")).isEqualTo("0");
      for (String page : List.of("/", "/1", "/2", "/3", "/4", "/5")) {
        long times = site.asked().stream().filter(page::equals).count();
        assertThat(times).as(page).isBetween(1L, kept ? 1L : 2L);
      }
      assertThat(run(Map.of(), place, "refresh", "--plan").code()).isZero();
    }
  }

  private static String facts(Place place) throws SQLException {
    return place.text(
        "SELECT pages_crawled || ' pages, ' || frontier_size || ' left, ' || max_concurrency"
            + " || ' at once' FROM domains");
  }

  @Test
  void a_second_process_is_refused_beside_one_that_has_the_database_alone() throws Exception {
    Place place = Place.database();
    place.run(
        "INSERT INTO workers (id, name, version, flags, started_at, last_seen_at) SELECT 'one-1',"
            + " 'one', max(version), 'ENABLE_CLAIM_PROTOCOL', 1, comity_millis()"
            + " FROM flyway_schema_history");
    try (Site site = Site.open().page("/", "Home")) {
      String[] crawl = {"crawl", site.url("/"), "--delay", "0", "-q"};
      Said second = run(Map.of(), place, crawl);
      assertThat(second.code()).isEqualTo(5);
      assertThat(second.err()).contains("worker one has the database alone");
      place.run("UPDATE workers SET flags = ''");
      Said alone = run(Map.of("ENABLE_CLAIM_PROTOCOL", "false"), place, crawl);
      assertThat(alone.code()).isEqualTo(5);
      assertThat(alone.err())
          .contains("ENABLE_CLAIM_PROTOCOL is off")
          .contains("would ignore the claims of worker one");
      assertThat(site.asked()).isEmpty();
      place.run("UPDATE workers SET version = '1'");
      assertThat(run(Map.of(), place, crawl).err()).contains("worker one is of another Comity");
      assertThat(run(Map.of(), place, "workers").out()).contains("one");
      place.run("UPDATE workers SET ended_at = comity_millis()");
      assertThat(run(Map.of("ENABLE_CLAIM_PROTOCOL", "false"), place, crawl).code()).isZero();
      assertThat(run(Map.of(), place, "workers", "--all").out())
          .contains("off: ENABLE_CLAIM_PROTOCOL");
    }
  }
}
