package dev.comity.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another program left, from wherever it is kept to wherever we keep it. */
class TakenOverTest {
  private static final String LOG =
      """
      domain,page_url,status,images_found,crawled_at
      www.a.example,https://www.a.example/,200,3,2026-02-05 14:30:00
      A.example,https://a.example/2,200,1,2026-02-05 14:31:00
      b.example,https://b.example/,403,0,2026-02-05T14:30:00Z
      """;

  @TempDir private Path home;

  private Said run(List<String> place, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(place);
    return new Setup(home).run(all.toArray(String[]::new));
  }

  /** A directory and a server. */
  private List<String> place(String kind) {
    return kind.equals("server")
        ? List.of("--db", PostgresServer.shared().newDatabase())
        : List.of("--data", home.resolve("data").toString());
  }

  /** The doctor knows directories alone. */
  private void isSound(String kind, List<String> place) {
    if (kind.equals("directory")) {
      assertThat(run(place, "doctor").code()).isZero();
    }
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"directory", "server"})
  void a_dry_run_says_what_would_be_new_and_leaves_no_trace(String kind) throws Exception {
    List<String> place = place(kind);
    String log = file("log.csv", LOG);
    Said dry = run(place, "backfill", log, "--dry-run");
    assertThat(dry.out().lines())
        .contains(
            "2 domains, 1 of them in several spellings: would be 2 new, 0 known already",
            "  closed (forbidden): 1",
            "3 URLs in all; nothing was written",
            "validation: 3 names in the log, 0 backfilled domains, 0 domains in all");
    assertThat(run(place, "backfill", log, "--dry-run", "--json").out())
        .contains("\"dry_run\":true", "\"new_domains\":2")
        .doesNotContain("new_pages");
    if (kind.equals("server")) {
      try (Connection connection = DriverManager.getConnection(place.getLast());
          Statement statement = connection.createStatement()) {
        assertThat(
                statement
                    .executeQuery("SELECT 1 WHERE to_regclass('public.domains') IS NOT NULL")
                    .next())
            .isFalse();
      }
    } else {
      assertThat(home.resolve("data")).doesNotExist();
    }
    assertThat(run(place, "backfill", log).out()).contains("2 new, 0 known already");
    assertThat(run(place, "backfill", log, "--dry-run").out())
        .contains("would be 0 new, 2 known already")
        .contains("validation: 3 names in the log, 2 backfilled domains, 2 domains in all");
  }

  @ParameterizedTest
  @ValueSource(strings = {"directory", "server"})
  void images_alone_count_for_the_domains_that_are_known(String kind) throws IOException {
    List<String> place = place(kind);
    String images =
        file(
            "images.csv",
            "image_id,source_domain\n1,a.example\n1,WWW.a.example\n2,a.example\n3,new.example\n");
    assertThat(run(place, "backfill", images).out().lines())
        .contains(
            "0 domains: 0 new, 0 known already",
            "2 domains with images and no request, not known either: left out");
    run(place, "backfill", file("log.csv", LOG));
    assertThat(run(place, "backfill", images).out().lines())
        .contains(
            "1 domain: 0 new, 1 known already",
            "1 domain with images and no request, not known either: left out");
    assertThat(run(place, "domain-info", "a.example", "--json").out())
        .contains("\"images_stored\":2", "\"image_yield\":1.0", "\"images_found\":4");
  }

  /** The log is in a partitioned table of a schema, with the types of the fifth document. */
  @ParameterizedTest
  @ValueSource(strings = {"directory", "server"})
  void a_log_on_a_server_is_read_through_its_partitions(String kind) throws SQLException {
    String past = PostgresServer.shared().newDatabase();
    try (Connection connection = DriverManager.getConnection(past);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA crawler");
      statement.execute("SET search_path = crawler");
      statement.execute(
          """
          CREATE TABLE crawl_log (id UUID DEFAULT gen_random_uuid(), page_url TEXT NOT NULL,
            domain VARCHAR(255), status INTEGER, images_found INTEGER DEFAULT 0,
            error_message TEXT, crawled_at TIMESTAMPTZ NOT NULL) PARTITION BY RANGE (crawled_at)
          """);
      statement.execute(
          "CREATE TABLE crawl_log_2026 PARTITION OF crawl_log"
              + " FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')");
      statement.execute(
          """
          INSERT INTO crawl_log (page_url, domain, status, images_found, crawled_at) VALUES
            ('https://www.a.example/', 'www.a.example', 200, 3, '2026-02-05 14:30:00+05:30'),
            ('https://a.example/2', 'A.example', NULL, NULL, '2026-02-05 14:31:00Z'),
            ('https://a.example/3', NULL, 200, 1, '2026-02-05 14:31:00.123456Z')
          """);
      statement.execute("CREATE TABLE provenance_rows (image_id UUID, source_domain VARCHAR(255))");
      statement.execute("CREATE VIEW provenance AS SELECT * FROM provenance_rows");
      statement.execute(
          "INSERT INTO provenance_rows SELECT gen_random_uuid(), 'a.example' FROM"
              + " generate_series(1, 3)");
    }
    List<String> place = place(kind);
    String address = past.substring("jdbc:".length());
    assertThat(run(place, "backfill", address).err()).contains("has no table crawl_log");
    Said said = run(place, "backfill", address + "&currentSchema=crawler");
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).contains("3 URLs: 2 pages with dates, 1 failed, 0 queued");
    assertThat(run(place, "domain-info", "a.example", "--json").out())
        .contains("\"requests\":3", "\"images_found\":4", "\"images_stored\":3", "\"errors\":1")
        .contains("\"last_crawled_at\":\"2026-02-05T14:31:00.123Z\"");
    isSound(kind, place);
  }

  @ParameterizedTest
  @ValueSource(strings = {"directory", "server"})
  void a_refresh_asks_for_the_pages_that_a_backfill_brought(String kind) throws IOException {
    List<String> place = place(kind);
    try (Site site = Site.open().page("/", "Home").page("/old", "Old").page("/never", "Never")) {
      String log =
          file(
              "log.csv",
              "page_url,status,crawled_at\n%s,200,2026-01-05\n%s,200,2026-01-06\n%s,404,\n"
                  .formatted(site.url("/"), site.url("/old"), site.url("/gone")));
      assertThat(run(place, "backfill", log).code()).isZero();
      Said said = run(place, "refresh", "--allow-private", "--delay", "0", "-q");
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/old", "/gone");
      isSound(kind, place);
    }
  }

  @Test
  void an_import_into_a_server_is_gone_on_with_by_a_crawl() throws IOException {
    List<String> place = place("server");
    try (Site site = Site.open().page("/done", "Done").page("/later", "Later")) {
      String log =
          file(
              "recover",
              "T 2026-01-02T03:04:05.000Z\nF+ %1$s I\nFs %1$s I\nF+ %2$s L\n"
                  .formatted(site.url("/done"), site.url("/later")));
      assertThat(run(place, "import", "heritrix", log).out())
          .contains("2 URLs: 1 pages with dates, 0 failed, 1 queued, 0 known already")
          .contains("1 backfilled domains");
      Said said = run(place, "crawl", "--allow-private", "--delay", "0", "-q");
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/later");
      assertThat(run(place, "import", "heritrix", log).out())
          .contains("0 pages with dates, 0 failed, 0 queued, 2 known already");
    }
  }
}
