package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a crawl lives with robots.txt files that fail, move and change. */
class RobotsTest {
  private static final Instant START = Rehearsal.START;
  private static final Duration DAY = Duration.ofDays(1);
  private static final String ROBOTS = "http://a.example/robots.txt";

  private final Rehearsal rehearsal = new Rehearsal();

  static Stream<FetchOutcome> noAnswers() {
    return Stream.of(
        new FetchOutcome.ServerError(500),
        new FetchOutcome.RateLimited(429, Optional.empty()),
        new FetchOutcome.TimedOut("no answer"),
        new FetchOutcome.DnsFailed("no such host"),
        new FetchOutcome.TlsFailed("expired"),
        new FetchOutcome.ConnectionFailed("cut off"),
        new FetchOutcome.Undecodable(200, "the body is not what its Content-Encoding says"));
  }

  private Site site() {
    return rehearsal.web.site("http://a.example");
  }

  private static FetchOutcome file(String... lines) {
    return new FetchOutcome.Success(200, Headers.NONE, Body.of(String.join("\n", lines)));
  }

  private static FetchOutcome redirect(String target) {
    return new Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  private long askedForRobots() {
    return rehearsal.web.asked().stream().filter(ROBOTS::equals).count();
  }

  private List<String> pagesAsked() {
    return rehearsal.web.asked().stream().filter(url -> !url.endsWith("/robots.txt")).toList();
  }

  @ParameterizedTest
  @MethodSource("noAnswers")
  void while_there_is_no_answer_no_page_is_asked_and_the_file_is_asked_again(FetchOutcome outcome) {
    AtomicInteger asked = new AtomicInteger();
    site()
        .answer(
            "/robots.txt", (Instant _) -> asked.incrementAndGet() < 4 ? outcome : file("deny /x"))
        .page("/", "/x", "/y")
        .page("/y");
    rehearsal.seed("http://a.example/").run();
    assertThat(rehearsal.web.asked())
        .containsExactly(ROBOTS, ROBOTS, ROBOTS, ROBOTS, "http://a.example/", "http://a.example/y");
  }

  @ParameterizedTest
  @MethodSource("noAnswers")
  void the_last_good_copy_counts_while_the_file_cannot_be_had(FetchOutcome outcome) {
    Instant dayAfter = START.plus(DAY);
    site()
        .answer("/robots.txt", now -> now.isBefore(dayAfter) ? file("deny /private") : outcome)
        .page("/")
        .page("/open");
    rehearsal.seed("http://a.example/").run();
    rehearsal.seed("http://a.example/private", "http://a.example/open").runAfter(DAY);
    assertThat(rehearsal.web.asked())
        .containsExactly(ROBOTS, "http://a.example/", ROBOTS, "http://a.example/open");
    assertThat(rehearsal.settled).extracting(Settlement::fate).contains(new Fate.Denied());
  }

  @Test
  void behind_a_last_good_copy_the_file_is_asked_again_less_and_less_often() {
    Instant dayAfter = START.plus(DAY);
    site()
        .answer(
            "/robots.txt",
            now -> now.isBefore(dayAfter) ? file("delay 100") : new FetchOutcome.ServerError(500));
    for (int page = 0; page < 100; page++) {
      site().page("/" + page);
    }
    rehearsal.seed("http://a.example/0").run();
    rehearsal
        .seed(IntStream.range(1, 100).mapToObj(n -> "http://a.example/" + n).toArray(String[]::new))
        .runAfter(DAY);
    List<Instant> asked =
        rehearsal.web.visits().stream()
            .filter(visit -> visit.url().toString().equals(ROBOTS))
            .map(Visit::startedAt)
            .toList();
    assertThat(pagesAsked()).hasSize(100);
    assertThat(
            IntStream.range(2, asked.size()).mapToObj(n -> minutes(asked.get(n - 1), asked.get(n))))
        .containsExactly(5L, 10L, 20L, 40L, 80L);
  }

  private static long minutes(Instant from, Instant to) {
    // The next slot after the pause is up to a Crawl-delay away.
    return Duration.between(from, to).toMinutes() / 5 * 5;
  }

  @Test
  void after_a_month_the_last_good_copy_is_none_any_more() {
    Instant dayAfter = START.plus(DAY);
    site()
        .answer(
            "/robots.txt",
            now -> now.isBefore(dayAfter) ? file("") : new FetchOutcome.ServerError(500))
        .page("/")
        .page("/1");
    rehearsal.seed("http://a.example/").run();
    rehearsal.seed("http://a.example/1").runAfter(Duration.ofDays(31));
    assertThat(pagesAsked()).containsExactly("http://a.example/");
    assertThat(rehearsal.endings).last().isInstanceOf(Ending.Closed.class);
  }

  @Test
  void tries_are_counted_across_claims() {
    site().answer("/robots.txt", new FetchOutcome.ServerError(500)).page("/");
    rehearsal.seed("http://a.example/").runAndStopAt(START.plusSeconds(5));
    assertThat(askedForRobots()).isEqualTo(2);
    rehearsal.run();
    assertThat(askedForRobots()).isEqualTo(5);
    assertThat(rehearsal.endings).last().isInstanceOf(Ending.Closed.class);
  }

  @Test
  void an_authority_given_up_stays_so_under_the_next_claim_while_the_others_go_on() {
    rehearsal
        .web
        .site("http://www.a.example")
        .answer("/robots.txt", new FetchOutcome.ServerError(500));
    site().page("/").page("/later");
    rehearsal.seed("http://a.example/", "http://www.a.example/1").run();
    // Two requests to the one that answers, five to the other.
    assertThat(rehearsal.web.asked()).hasSize(7);
    rehearsal.seed("http://a.example/later", "http://www.a.example/2").run();
    assertThat(rehearsal.web.asked()).hasSize(8).endsWith("http://a.example/later");
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.fate().equals(new Fate.Failed(Category.SERVER_ERROR)))
        .hasSize(2);
  }

  @Test
  void a_file_nobody_can_decode_is_given_up_after_five_tries_and_the_domain_is_not_closed() {
    site().answer("/robots.txt", new FetchOutcome.Undecodable(200, "bad gzip")).page("/");
    rehearsal.seed("http://a.example/").run();
    assertThat(rehearsal.web.asked()).containsOnly(ROBOTS).hasSize(5);
    assertThat(rehearsal.changes).contains(new Change.AuthorityGivenUp(Category.UNDECODABLE));
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
    assertThat(rehearsal.settled).noneMatch(Settlement::isPage);
  }

  @Test
  void a_delay_read_under_an_earlier_claim_is_kept_when_another_authority_asks_for_none() {
    site().page("/robots.txt", "delay 7").page("/1").page("/2").page("/3");
    rehearsal.web.site("https://a.example").page("/robots.txt", "").page("/");
    rehearsal.seed("http://a.example/1").run();
    int before = rehearsal.web.visits().size();
    rehearsal.seed("https://a.example/", "http://a.example/2", "http://a.example/3").run();
    List<Visit> later = rehearsal.web.visits().subList(before, rehearsal.web.visits().size());
    assertThat(later)
        .extracting(visit -> visit.url().toString())
        .containsExactly(
            "https://a.example/robots.txt",
            "https://a.example/",
            "http://a.example/2",
            "http://a.example/3");
    assertThat(Duration.between(later.get(1).startedAt(), later.get(2).startedAt()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(7));
    assertThat(Duration.between(later.get(2).startedAt(), later.get(3).startedAt()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void a_loop_of_redirects_ends_after_five_hops_and_every_hop_waits_its_turn() {
    site().answer("/robots.txt", redirect("http://www.a.example/robots.txt")).page("/");
    rehearsal.web.site("http://www.a.example").answer("/robots.txt", redirect(ROBOTS));
    rehearsal.seed("http://a.example/").run();
    assertThat(rehearsal.web.asked()).hasSize(7).endsWith("http://a.example/");
    List<Visit> visits = rehearsal.web.visits();
    assertThat(IntStream.range(1, 7).boxed())
        .allMatch(
            n ->
                Duration.between(visits.get(n - 1).startedAt(), visits.get(n).startedAt())
                        .compareTo(Duration.ofSeconds(1))
                    >= 0);
  }

  @Test
  void sixty_four_urls_that_may_be_asked_at_once_wait_for_one_request() {
    rehearsal.settings = PolicySettings.DEFAULTS.with(new PaceSettings(Duration.ZERO, 64, 0));
    site()
        .latency(Duration.ofMillis(1), Duration.ofSeconds(2))
        .latency("/robots.txt", Duration.ofSeconds(3))
        .page("/robots.txt", "")
        .otherwise(_ -> file(""));
    rehearsal
        .seed(IntStream.range(0, 64).mapToObj(n -> "http://a.example/" + n).toArray(String[]::new))
        .run();
    assertThat(askedForRobots()).isEqualTo(1);
    assertThat(pagesAsked()).hasSize(64);
    assertThat(rehearsal.web.visits().subList(1, 65))
        .allMatch(visit -> !visit.startedAt().isBefore(START.plusSeconds(3)));
    // As many as may be in flight to one address.
    assertThat(rehearsal.web.visits()).anyMatch(visit -> visit.inFlight() == 20);
  }

  @Test
  void rules_that_change_in_the_middle_of_a_crawl_hold_for_what_was_queued_before() {
    Instant dayAfter = START.plus(DAY);
    site()
        .answer(
            "/robots.txt",
            now -> now.isBefore(dayAfter) ? file("delay 590") : file("delay 590", "deny /late"));
    String[] seeds = new String[200];
    for (int page = 0; page < 200; page++) {
      String target = (page < 100 ? "/early" : "/late") + page;
      site().page(target);
      seeds[page] = "http://a.example" + target;
    }
    assertThat(rehearsal.seed(seeds).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(askedForRobots()).isEqualTo(2);
    Instant reread =
        rehearsal.web.visits().stream()
            .filter(visit -> visit.url().toString().equals(ROBOTS))
            .map(Visit::startedAt)
            .toList()
            .getLast();
    assertThat(rehearsal.web.visits()).noneMatch(visit -> visit.startedAt().isAfter(reread));
    assertThat(pagesAsked()).hasSizeBetween(101, 199);
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.fate() instanceof Fate.Denied)
        .hasSize(200 - pagesAsked().size());
  }
}
