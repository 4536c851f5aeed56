package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.wire.SeenRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one PostgreSQL; the origins' logs judge. */
class FleetIT {
  private static final int SITES = 6;
  private static final int PAGES = 12;
  private static final Duration DELAY = Duration.ofMillis(400);

  /** A request is seen a little later than it was sent, now and then. */
  private static final Duration JITTER = Duration.ofMillis(150);

  @TempDir private Path home;
  private final String db = PostgresServer.shared().newDatabase();
  private final List<Site> sites = new ArrayList<>();

  @BeforeEach
  void open() {
    String[] links = IntStream.range(1, PAGES).mapToObj(n -> "/" + n).toArray(String[]::new);
    for (int number = 0; number < SITES; number++) {
      Site site = Site.open().page("/", "Home", links).robots("User-agent: *");
      List.of(links).forEach(link -> site.page(link, "Page " + link));
      sites.add(site);
    }
  }

  @AfterEach
  void close() throws Exception {
    for (Site site : sites) {
      site.close();
    }
  }

  private Program crawl(String... more) {
    List<String> words = new ArrayList<>(List.of("crawl", "--db", db, "--max-claims", "3"));
    words.addAll(List.of("--delay", DELAY.toMillis() + "ms", "--out", "all.jsonl"));
    sites.forEach(site -> words.add(site.url("/")));
    words.addAll(List.of(more));
    return Program.start(home, words.toArray(String[]::new));
  }

  private Program worker(String... more) {
    List<String> words = new ArrayList<>(List.of("worker", "--db", db, "--name", "second"));
    words.addAll(List.of("--max-claims", "3", "--out", "second.jsonl"));
    words.addAll(List.of(more));
    return Program.start(home, words.toArray(String[]::new));
  }

  private List<String> urlsIn(String file) throws Exception {
    return Files.readAllLines(home.resolve(file)).stream()
        .map(line -> line.replaceAll(".*\"url\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private void requireEveryPageOnceAndNoGapTooShort() throws Exception {
    List<String> expected = new ArrayList<>();
    for (Site site : sites) {
      expected.add(site.url("/"));
      IntStream.range(1, PAGES).forEach(n -> expected.add(site.url("/" + n)));
      assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES + 1);
      List<SeenRequest> seen = site.requests();
      for (int number = 1; number < seen.size(); number++) {
        assertThat(Duration.between(seen.get(number - 1).at(), seen.get(number).at()))
            .isGreaterThan(DELAY.minus(JITTER));
      }
    }
    assertThat(urlsIn("all.jsonl")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void two_processes_share_a_run_and_ask_each_page_once_at_its_pace() throws Exception {
    try (Program second = worker();
        Program first = crawl()) {
      awaitClaimsOf("second", second);
      requireSound();
      Said said = first.ended();
      assertThat(said.code()).as(said.err()).isZero();
      requireEveryPageOnceAndNoGapTooShort();
      assertThat(urlsIn("second.jsonl")).doesNotHaveDuplicates().isSubsetOf(urlsIn("all.jsonl"));
      assertThat(urlsIn("second.jsonl")).isNotEmpty();
      second.signal("TERM");
      assertThat(second.ended().code()).isEqualTo(143);
    }
    assertThat(Commands.run("workers", "--db", db).out().strip()).isEqualTo("no worker is up");
    assertThat(Commands.run("runs", "--db", db).out()).contains("finished  72/1000");
    requireSound();
  }

  /** Beside the workers or after them. */
  private void requireSound() {
    Said doctor = Commands.run("doctor", "--db", db);
    assertThat(doctor.code()).as(doctor.out() + doctor.err()).isZero();
  }

  @Test
  void a_worker_that_is_told_to_end_gives_its_claims_back_and_the_others_go_on() throws Exception {
    try (Program second = worker();
        Program first = crawl()) {
      awaitClaimsOf("second", second);
      second.signal("TERM");
      assertThat(second.ended().code()).isEqualTo(143);
      assertThat(claims()).doesNotContain("second");
      Said said = first.ended();
      assertThat(said.code()).as(said.err()).isZero();
    }
    requireEveryPageOnceAndNoGapTooShort();
  }

  @Test
  void a_drained_worker_ends_by_itself() throws Exception {
    try (Program second = worker();
        Program first = crawl()) {
      awaitClaimsOf("second", second);
      assertThat(Commands.run("drain", "second", "--db", db).out())
          .contains("gives its claims back and ends");
      assertThat(second.ended().code()).isZero();
      assertThat(first.ended().code()).isZero();
    }
    requireEveryPageOnceAndNoGapTooShort();
  }

  private String claims() {
    return Commands.run("claims", "--db", db).out();
  }

  private void awaitClaimsOf(String name, Program program) throws Exception {
    while (!claims().contains(name + "-")) {
      assertThat(program.endsWithin(Program.A_LOOK)).as("it has no claims").isFalse();
    }
  }
}
