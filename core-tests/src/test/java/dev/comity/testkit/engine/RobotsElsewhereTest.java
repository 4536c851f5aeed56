package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Borrowing.Lent;
import dev.comity.core.port.store.Claim;
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

/** How a crawl comes by a robots.txt that redirects to somebody else's domain. */
class RobotsElsewhereTest {
  private static final Instant START = Rehearsal.START;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String ROBOTS = "http://a.example/robots.txt";
  private static final String THEIRS = "http://b.example/robots.txt";
  private static final String PAGE = "http://a.example/";

  private final Rehearsal rehearsal = new Rehearsal();

  static Stream<FetchOutcome> noAnswers() {
    return Stream.of(
        new FetchOutcome.ServerError(500),
        new FetchOutcome.TimedOut("no answer"),
        new FetchOutcome.DnsFailed("no such host"),
        new FetchOutcome.TlsFailed("expired"),
        new FetchOutcome.ConnectionFailed("cut off"),
        new FetchOutcome.Undecodable(200, "the body is not what its Content-Encoding says"));
  }

  private Site a() {
    return rehearsal.web.site("http://a.example");
  }

  private Site b() {
    return rehearsal.web.site("http://b.example");
  }

  private static FetchOutcome to(String target) {
    return new Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  private static FetchOutcome file(String... lines) {
    return new FetchOutcome.Success(200, Headers.NONE, Body.of(String.join("\n", lines)));
  }

  private List<Instant> startsAt(String domain) {
    return rehearsal.web.visits().stream()
        .filter(visit -> visit.url().domain().name().equals(domain))
        .map(Visit::startedAt)
        .toList();
  }

  private Claim borrow(String url) {
    return rehearsal.memory.borrow(CrawlUrl.of(url).domain(), START) instanceof Lent(var claim)
        ? claim
        : fail("not lent");
  }

  private Duration shortestGap(String domain) {
    List<Instant> starts = startsAt(domain);
    return IntStream.range(1, starts.size())
        .mapToObj(n -> Duration.between(starts.get(n - 1), starts.get(n)))
        .min(Duration::compareTo)
        .orElseThrow();
  }

  private void assertGivenUp() {
    assertThat(rehearsal.settled)
        .extracting(Settlement::fate)
        .containsExactly(new Fate.Failed(Category.REDIRECT));
    assertThat(rehearsal.changes).contains(new Change.AuthorityGivenUp(Category.REDIRECT));
    assertThat(rehearsal.endings).contains(new Ending.Exhausted());
    assertThat(rehearsal.web.asked()).doesNotContain(PAGE);
  }

  @Test
  void it_is_asked_for_there_and_holds_here() {
    a().answer("/robots.txt", to(THEIRS)).page("/", "/private", "/open").page("/open");
    b().page("/robots.txt", "deny /private").page("/");
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked()).containsExactly(ROBOTS, THEIRS, PAGE, PAGE + "open");
    assertThat(rehearsal.settled).extracting(Settlement::fate).contains(new Fate.Denied());
  }

  @Test
  void what_that_domain_s_own_worker_has_read_today_counts_here_as_well() {
    a().answer("/robots.txt", to(THEIRS)).page("/", "/private").page("/private");
    b().page("/robots.txt", "deny /private").page("/");
    rehearsal.seed("http://b.example/").run();
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked()).containsExactly(THEIRS, "http://b.example/", ROBOTS, PAGE);
  }

  @Test
  void what_that_domain_s_worker_is_about_to_read_is_not_asked_for_twice() {
    a().answer("/robots.txt", to(THEIRS)).page("/", "/private").page("/private");
    b().latency("/robots.txt", Duration.ofSeconds(20)).page("/robots.txt", "deny /private");
    b().page("/", "/private").page("/private");
    rehearsal.seed(PAGE, "http://b.example/").run();
    assertThat(rehearsal.done()).containsExactlyInAnyOrder(PAGE, "http://b.example/");
    assertThat(rehearsal.web.asked()).containsOnlyOnce(ROBOTS, THEIRS);
  }

  @Test
  void any_file_will_do_and_its_crawl_delay_is_kept_here() {
    a().answer("/robots.txt", to("http://b.example/rules?of=a")).page("/", "/1").page("/1");
    b().page("/rules?of=a", "delay 7", "deny /private");
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked())
        .containsExactly(ROBOTS, "http://b.example/rules?of=a", PAGE, PAGE + "1");
    List<Instant> starts = startsAt("a.example");
    assertThat(Duration.between(starts.get(1), starts.get(2)))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void of_that_domain_nothing_else_is_asked_and_it_is_left_as_one_that_has_nothing_to_do() {
    a().answer("/robots.txt", to(THEIRS)).page("/");
    b().page("/robots.txt", "sitemap http://b.example/map").page("/map", "page http://b.example/");
    rehearsal.seed(PAGE).run();
    assertThat(startsAt("b.example")).hasSize(1);
    assertThat(rehearsal.state("b.example").standing().status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(rehearsal.endings)
        .containsExactlyInAnyOrder(new Ending.Borrowed(), new Ending.Exhausted());
  }

  @Test
  void it_is_remembered_and_the_next_crawl_asks_neither_domain_for_it() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/").page("/later");
    b().page("/rules", "deny /private");
    rehearsal.seed(PAGE).run();
    rehearsal.seed(PAGE + "later", PAGE + "private").run();
    assertThat(rehearsal.web.asked()).hasSize(4).endsWith(PAGE + "later");
  }

  @Test
  void a_chain_across_domains_is_followed_for_five_hops() {
    a().answer("/robots.txt", to("http://c1.example/1")).page("/", "/private").page("/private");
    for (int hop = 1; hop < 5; hop++) {
      rehearsal
          .web
          .site("http://c" + hop + ".example")
          .answer("/" + hop, to("http://c" + (hop + 1) + ".example/" + (hop + 1)));
    }
    rehearsal.web.site("http://c5.example").page("/5", "deny /private");
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked())
        .containsExactly(
            ROBOTS,
            "http://c1.example/1",
            "http://c2.example/2",
            "http://c3.example/3",
            "http://c4.example/4",
            "http://c5.example/5",
            PAGE);
  }

  @Test
  void what_is_further_away_than_five_hops_counts_as_no_file() {
    a().answer("/robots.txt", to("http://c0.example/")).page("/");
    for (int hop = 0; hop < 6; hop++) {
      rehearsal
          .web
          .site("http://c" + hop + ".example")
          .answer("/", to("http://c" + (hop + 1) + ".example/"));
    }
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked()).hasSize(7).endsWith("http://c4.example/", PAGE);
  }

  @Test
  void a_loop_between_two_domains_ends_after_five_hops_and_each_keeps_its_pace() {
    a().answer("/robots.txt", to(THEIRS)).page("/");
    b().answer("/robots.txt", to(ROBOTS));
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked())
        .containsExactly(ROBOTS, THEIRS, ROBOTS, THEIRS, ROBOTS, THEIRS, PAGE);
    assertThat(shortestGap("a.example")).isGreaterThanOrEqualTo(SECOND);
    assertThat(shortestGap("b.example")).isGreaterThanOrEqualTo(SECOND);
  }

  @Test
  void two_domains_that_keep_each_other_s_file_do_not_wait_for_one_another_for_good() {
    a().answer("/robots.txt", to("http://b.example/of-a")).page("/of-b", "deny /1").page("/");
    b().answer("/robots.txt", to("http://a.example/of-b")).page("/of-a", "deny /1").page("/");
    rehearsal.seed(PAGE, PAGE + "1", "http://b.example/", "http://b.example/1").run();
    assertThat(rehearsal.done()).containsExactlyInAnyOrder(PAGE, "http://b.example/");
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.fate().equals(new Fate.Denied()))
        .hasSize(2);
    assertThat(rehearsal.time.instant()).isBefore(START.plusSeconds(30));
  }

  @Test
  void many_domains_that_share_a_file_ask_for_it_once() {
    for (int one = 0; one < 50; one++) {
      rehearsal
          .web
          .site("http://a" + one + ".example")
          .answer("/robots.txt", to("http://b.example/for-all"))
          .page("/");
      rehearsal.seed("http://a" + one + ".example/");
    }
    b().latency("/for-all", Duration.ofSeconds(5)).page("/for-all", "deny /private");
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(50);
    assertThat(startsAt("b.example")).hasSize(1);
  }

  @Test
  void a_domain_that_is_crawled_and_asked_by_many_others_is_never_asked_faster() {
    for (int one = 0; one < 20; one++) {
      rehearsal
          .web
          .site("http://a" + one + ".example")
          .answer("/robots.txt", to("http://b.example/of/" + one))
          .page("/");
      b().page("/of/" + one, "deny /private").page("/" + one);
      rehearsal.seed("http://a" + one + ".example/", "http://b.example/" + one);
    }
    b().page("/robots.txt", "delay 3");
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(40);
    // Its Crawl-delay is known from the first answer on, which may come after the first two starts.
    List<Instant> starts = startsAt("b.example");
    assertThat(starts).hasSize(41);
    assertThat(shortestGap("b.example")).isGreaterThanOrEqualTo(SECOND);
    assertThat(Duration.between(starts.getFirst(), starts.getLast()))
        .isGreaterThan(Duration.ofSeconds(3 * 19));
  }

  @Test
  void its_pace_outlives_the_favour() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().page("/rules", "").page("/");
    rehearsal.seed(PAGE).runAndStopAt(START.plusMillis(400));
    rehearsal.seed("http://b.example/").run();
    assertThat(startsAt("b.example")).hasSizeGreaterThan(1);
    assertThat(shortestGap("b.example")).isGreaterThanOrEqualTo(SECOND);
  }

  @Test
  void who_takes_a_borrowed_domain_over_from_a_dead_process_waits_a_full_delay() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().page("/rules", "");
    haveHadItsShare("http://b.example/");
    borrow("http://b.example/");
    rehearsal.memory.endClaims();
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.done()).containsExactly(PAGE);
    // It is wanted when a second has passed: then the other domain has its next turn.
    assertThat(startsAt("b.example").getFirst()).isAfterOrEqualTo(START.plusSeconds(2));
  }

  /** It has something to do, but not in this run any more. */
  private void haveHadItsShare(String url) {
    rehearsal.seed(url);
    Claim claim = rehearsal.memory.claim(1, Instant.EPOCH).getFirst();
    rehearsal.memory.release(
        claim,
        new DomainPolicy(rehearsal.settings).claimed(claim.state(), Instant.EPOCH),
        new Ending.DomainOutOfBudget(),
        Instant.EPOCH);
  }

  @ParameterizedTest
  @MethodSource("noAnswers")
  void where_it_cannot_be_had_the_urls_fail_visibly_and_the_domain_is_not_closed(
      FetchOutcome outcome) {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer("/rules", outcome);
    rehearsal.seed(PAGE).run();
    assertGivenUp();
    assertThat(startsAt("b.example")).hasSize(4);
    assertThat(rehearsal.state("a.example").standing().reason()).isEmpty();
  }

  @Test
  void an_answer_at_the_second_try_is_as_good() {
    AtomicInteger asked = new AtomicInteger();
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer(
            "/rules",
            (Instant _) ->
                asked.incrementAndGet() < 2 ? new FetchOutcome.ServerError(503) : file("deny /x"));
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.done()).containsExactly(PAGE);
  }

  @Test
  void no_file_there_allows_everything() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer("/rules", new FetchOutcome.ClientError(404));
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.done()).containsExactly(PAGE);
  }

  @Test
  void a_domain_that_is_well_is_not_closed_because_it_does_not_serve_another_s_file() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer("/rules", new FetchOutcome.ServerError(500));
    for (int page = 0; page < 60; page++) {
      b().page("/" + page);
      rehearsal.seed("http://b.example/" + page);
    }
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.done()).hasSize(60);
    assertThat(rehearsal.state("b.example").standing().status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.fate() instanceof Fate.Failed)
        .extracting(one -> one.entry().url().toString())
        .containsExactly(PAGE);
  }

  @Test
  void a_closed_domain_is_not_asked() {
    a().answer("/robots.txt", to(THEIRS)).page("/");
    b().page("/robots.txt", "");
    Claim claim = borrow(THEIRS);
    rehearsal.memory.release(
        claim,
        new DomainPolicy(rehearsal.settings).blocked(claim.state()),
        new Ending.Stopped(),
        Instant.EPOCH);
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked()).containsExactly(ROBOTS);
    assertGivenUp();
  }

  @Test
  void a_refused_address_is_not_asked() {
    a().answer("/robots.txt", to(THEIRS)).page("/");
    b().unconnectable(new FetchOutcome.AddressDenied("10.0.0.1 is private"));
    rehearsal.seed(PAGE).run();
    assertThat(rehearsal.web.asked()).containsExactly(ROBOTS);
    assertGivenUp();
  }

  @Test
  void a_domain_that_asks_to_be_left_alone_for_long_is() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer("/rules", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofHours(1))))
        .page("/");
    rehearsal.seed(PAGE).run();
    assertThat(startsAt("b.example")).hasSize(1);
    assertGivenUp();
    assertThat(rehearsal.state("b.example").slots().restUntil())
        .isAfter(START.plus(Duration.ofMinutes(59)));
  }

  @Test
  void whoever_takes_too_long_is_not_waited_for() {
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().answer("/rules", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofMinutes(4))));
    rehearsal.seed(PAGE).run();
    assertGivenUp();
    assertThat(startsAt("b.example")).hasSizeBetween(2, 3);
  }

  @Test
  void the_last_good_copy_counts_while_it_cannot_be_had() {
    Instant dayAfter = START.plus(Duration.ofDays(1));
    a().answer("/robots.txt", to("http://b.example/rules")).page("/").page("/open");
    b().answer(
            "/rules",
            now ->
                now.isBefore(dayAfter) ? file("deny /private") : new FetchOutcome.ServerError(500));
    rehearsal.seed(PAGE).run();
    rehearsal.seed(PAGE + "private", PAGE + "open").runAfter(Duration.ofDays(1));
    assertThat(rehearsal.done()).containsExactly(PAGE, PAGE + "open");
    assertThat(rehearsal.settled).extracting(Settlement::fate).contains(new Fate.Denied());
  }

  @Test
  void an_hour_later_it_is_asked_for_again() {
    Instant later = START.plus(Duration.ofHours(1));
    a().answer("/robots.txt", to("http://b.example/rules")).page("/").page("/1").page("/2");
    b().answer("/rules", now -> now.isBefore(later) ? new FetchOutcome.ServerError(500) : file(""));
    rehearsal.seed(PAGE).run();
    int before = rehearsal.web.asked().size();
    rehearsal.seed(PAGE + "1").run();
    assertThat(rehearsal.web.asked()).hasSize(before);
    rehearsal.seed(PAGE + "2").runAfter(Duration.ofHours(1));
    assertThat(rehearsal.done()).containsExactly(PAGE + "2");
  }

  @Test
  void what_it_has_left_of_its_own_stays_as_it_was() {
    haveHadItsShare("http://b.example/");
    a().answer("/robots.txt", to("http://b.example/rules")).page("/");
    b().page("/rules", "").page("/");
    rehearsal.seed(PAGE).run();
    assertThat(startsAt("b.example")).hasSize(1);
    assertThat(rehearsal.state("b.example").standing().status()).isEqualTo(DomainStatus.ACTIVE);
  }
}
