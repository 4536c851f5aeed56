package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists, refreshes and sources on several workers; the origins' logs judge. */
class FleetRunsIT {
  private static final int SITES = 4;
  private static final int PAGES = 16;

  /** URLs of a source on each site, so that a second worker has time to start. */
  private static final int OF_SOURCE = 5;

  /** A request is seen a little later than it was sent, now and then. */
  private static final Duration JITTER = Duration.ofMillis(150);

  @TempDir private Path home;
  private final String db = PostgresServer.shared().newDatabase();
  private final List<Site> sites = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Site site : sites) {
      site.close();
    }
  }

  /** A site whose pages link to each other; a server that knows them answers with no body. */
  private Site site(int pages) {
    String[] links = IntStream.range(0, pages).mapToObj(n -> "/" + n).toArray(String[]::new);
    Site site = Site.open().robots("User-agent: *");
    Stream.concat(Stream.of("/"), Stream.of(links)).forEach(path -> serve(site, path, links));
    sites.add(site);
    return site;
  }

  private static void serve(Site site, String path, String... links) {
    byte[] body = Site.html("Page " + path, links).getBytes(StandardCharsets.UTF_8);
    site.play(
        path,
        wire -> {
          boolean known = site.requests().getLast().header("If-None-Match").isPresent();
          wire.send(
              known
                  ? Replies.head("304 Not Modified", "ETag: \"1\"")
                  : Replies.ok("text/html", body, "ETag: \"1\""));
        });
  }

  private Program start(String... words) {
    return Program.start(home, with(new String[] {"--db", db}, words));
  }

  private Said run(String... words) {
    return Commands.run(with(new String[] {"--db", db}, words));
  }

  private Program second(String... more) {
    return start(with(more, "worker", "--name", "second", "--max-claims", "2", "--once"));
  }

  private static String[] with(String[] more, String... words) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  private long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(db);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /** Waits until the run's first page is asked. Then others may join it. */
  private void awaitPages(int most, Program running) throws Exception {
    while (starts().size() < most) {
      assertThat(running.endsWithin(Program.A_LOOK)).as("it has ended").isFalse();
    }
  }

  private List<Instant> starts() {
    return sites.stream()
        .flatMap(site -> site.requests().stream())
        .filter(request -> !request.line().contains(" /robots.txt "))
        .map(SeenRequest::at)
        .sorted()
        .toList();
  }

  private void requireBothWorked(Said first, Said second) throws SQLException {
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(number("SELECT count(DISTINCT last_worker) FROM domains")).isEqualTo(2);
    assertThat(number("SELECT count(*) FROM domains WHERE status <> 'exhausted'")).isZero();
    assertThat(run("workers").out().strip()).isEqualTo("no worker is up");
    assertThat(run("runs").out()).doesNotContain("running");
  }

  @Test
  void two_workers_fetch_a_list_without_its_links_and_ask_each_url_once() throws Exception {
    List<String> urls = new ArrayList<>();
    for (int number = 0; number < SITES; number++) {
      Site site = site(PAGES + 1);
      IntStream.range(0, PAGES).forEach(n -> urls.add(site.url("/" + n)));
    }
    Path list = Files.write(home.resolve("list.txt"), urls);
    try (Program first =
        start(
            "fetch",
            list.toString(),
            "--allow-private",
            "--delay",
            "400ms",
            "--max-claims",
            "2",
            "--out",
            "all.jsonl")) {
      awaitPages(1, first);
      try (Program second = second()) {
        requireBothWorked(first.ended(), second.ended());
      }
    }
    for (Site site : sites) {
      assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES + 1).doesNotContain("/");
    }
    assertThat(Files.readAllLines(home.resolve("all.jsonl"))).hasSize(urls.size());
  }

  @Test
  void two_workers_refresh_what_is_due_with_conditional_requests() throws Exception {
    List<String> crawl = new ArrayList<>(List.of("crawl", "-q", "--delay", "0"));
    for (int number = 0; number < SITES; number++) {
      crawl.add(site(PAGES).url("/"));
    }
    assertThat(run(crawl.toArray(String[]::new)).code()).isZero();
    pass(20);
    int before = starts().size();
    assertThat(before).isEqualTo(SITES * (PAGES + 1));
    try (Program first = start("refresh", "--delay", "400ms", "--max-claims", "2")) {
      awaitPages(before + 1, first);
      try (Program second = second()) {
        requireBothWorked(first.ended(), second.ended());
      }
    }
    for (Site site : sites) {
      assertThat(site.requests())
          .filteredOn(request -> request.header("If-None-Match").isPresent())
          .extracting(SeenRequest::line)
          .doesNotHaveDuplicates()
          .hasSize(PAGES + 1);
    }
    assertThat(starts()).hasSize(2 * before);
  }

  /** As if so many days had passed since then. */
  private void pass(int days) throws SQLException {
    long millis = Duration.ofDays(days).toMillis();
    try (Connection connection = DriverManager.getConnection(db);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE domain_frontier SET due_at = due_at - %d, visited_at = visited_at - %d"
              .formatted(millis, millis / 1000));
      statement.execute(
          "UPDATE domains SET next_crawl_after = next_crawl_after - %1$d, last_crawled_at ="
                  .formatted(millis)
              + " last_crawled_at - %d, refresh_state = NULL".formatted(millis));
    }
  }

  @Test
  void what_is_added_beside_a_fleet_is_claimed_by_a_live_worker_at_the_pace_of_its_source()
      throws Exception {
    Duration interval = Duration.ofMillis(1200);
    List<String> words = new ArrayList<>(List.of("source", "add", "news", "--interval", "1.2"));
    for (int number = 0; number < SITES; number++) {
      Site site = site(0);
      for (int path = 1; path <= OF_SOURCE; path++) {
        serve(site, "/" + path);
        words.add(site.url("/" + path));
      }
    }
    Said added = run(words.toArray(String[]::new));
    assertThat(added.code()).as(added.err()).isZero();
    assertThat(added.out().lines().map(line -> line.split(" ", -1)[0]))
        .hasSize(OF_SOURCE * SITES + 1)
        .startsWith("source")
        .contains("enqueued");
    Site late = site(0);
    serve(late, "/late");
    try (Site plain = Site.open().page("/", "Plain")) {
      String[] resolved = {
        "--resolve", "late.example:%d:127.0.0.1".formatted(late.port()),
        "--resolve", "plain.example:%d:127.0.0.1".formatted(plain.port())
      };
      try (Program first =
          start(with(resolved, "crawl", "--scope", "any", "--delay", "0", "--max-claims", "2"))) {
        awaitPages(1, first);
        try (Program second = second(resolved)) {
          while (!run("claims").out().contains("second-")) {
            assertThat(second.endsWithin(Program.A_LOOK)).as("it has no claims").isFalse();
          }
          String url = "http://late.example:%d/late".formatted(late.port());
          Said deferred = run("add", url, url, "--source", "news");
          assertThat(deferred.out().lines().map(line -> line.split(" ", -1)[0]))
              .containsExactly("deferred", "duplicate");
          assertThat(deferred.out()).containsPattern("asked in [12] s, for its source starts");
          Path file = home.resolve("seeds.txt");
          Files.writeString(file, "http://plain.example:%d/".formatted(plain.port()));
          assertThat(run("ingest-seeds", file.toString()).out().lines())
              .containsExactly(
                  "1 seed enqueued, 0 known already, 0 refused",
                  "The running crawl takes them, as far as its budgets go.");
          plain.awaitRequest("/");
          requireBothWorked(first.ended(), second.ended());
        }
      }
    }
    assertThat(late.asked()).contains("/late");
    List<Instant> starts = starts();
    assertThat(starts).hasSize(OF_SOURCE * SITES + 1);
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .as("start %d of %s", n, starts)
          .isGreaterThan(interval.minus(JITTER));
    }
    assertThat(run("source", "list", "--json").out()).contains("\"urls\":21,\"unfinished\":0");
  }
}
