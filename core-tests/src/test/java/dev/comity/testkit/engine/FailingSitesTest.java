package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.port.store.Ending;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a site that fails costs, the site and us: how it is closed, left alone or finished. */
class FailingSitesTest {
  private static final String SITE = "http://a.example";
  private static final FetchOutcome HANGING = new TimedOut("no answer within 30 s");
  private static final FetchOutcome REFUSED = new RateLimited(429, Optional.empty());

  private final Rehearsal rehearsal = new Rehearsal();
  private final PretendWeb.Site site = rehearsal.web.site(SITE);

  @Test
  void hanging_pages_with_five_in_flight_close_the_domain_within_25_requests() {
    for (int pages : new int[] {5, 6, 7, 8, 10, 12, 20, 60}) {
      Rehearsal each = failing(pages, HANGING, Duration.ofSeconds(30));
      each.run();
      assertThat(each.state("a.example").standing().reason())
          .as("%d pages", pages)
          .contains(CloseReason.TIMEOUT);
      assertThat(mostInFlight(each)).isEqualTo(5);
      assertThat(failed(each)).as("%d pages", pages).isBetween(5, 25);
    }
  }

  @Test
  void of_failing_pages_one_that_was_asked_again_lets_the_others_go_first() {
    Rehearsal each = failing(12, HANGING, Duration.ofSeconds(30));
    each.run();
    assertThat(each.web.asked()).endsWith(SITE + "/11", SITE + "/0", SITE + "/1");
    assertThat(each.time.instant()).isBefore(Rehearsal.START.plus(Duration.ofMinutes(7)));
  }

  @Test
  void slow_500s_with_requests_that_overlap_close_the_domain_within_25_requests() {
    for (int pages : new int[] {5, 8, 12, 60}) {
      for (int latency = 2; latency <= 12; latency++) {
        Rehearsal each = failing(pages, new ServerError(500), Duration.ofSeconds(latency));
        each.run();
        String which = pages + " pages, answers after " + latency + " s";
        assertThat(each.state("a.example").standing().reason())
            .as(which)
            .contains(CloseReason.SERVER_ERRORS);
        assertThat(failed(each)).as(which).isBetween(5, 25);
      }
    }
  }

  @Test
  void slow_403s_are_asked_again_once_and_close_the_domain_as_well() {
    for (int pages : new int[] {5, 8, 12, 60}) {
      Rehearsal each = failing(pages, new Forbidden(403), Duration.ofSeconds(8));
      each.run();
      assertThat(each.state("a.example").standing().reason())
          .as("%d pages", pages)
          .contains(CloseReason.FORBIDDEN);
      assertThat(failed(each)).as("%d pages", pages).isBetween(5, 25);
    }
  }

  /** A front page that is served, and so many pages behind it of which none ever is. */
  private static Rehearsal failing(int pages, FetchOutcome failure, Duration latency) {
    Rehearsal each = new Rehearsal();
    String[] links = IntStream.range(0, pages).mapToObj(page -> "/" + page).toArray(String[]::new);
    PretendWeb.Site site = each.web.site(SITE).page("/robots.txt").page("/", links);
    for (String link : links) {
      site.answer(link, failure).latency(link, latency);
    }
    each.seed(SITE + "/");
    return each;
  }

  /** All but the robots.txt and the front page. */
  private static int failed(Rehearsal each) {
    return each.web.visits().size() - 2;
  }

  @Test
  void failures_that_come_one_at_a_time_close_the_domain_after_five() {
    site.otherwise(_ -> new ServerError(500)).page("/robots.txt");
    for (int page = 0; page < 60; page++) {
      rehearsal.seed(SITE + "/" + page);
    }
    rehearsal.run();
    assertThat(standing().reason()).contains(CloseReason.SERVER_ERRORS);
    assertThat(pagesAsked()).hasSize(5);
  }

  @Test
  void eight_failing_pages_among_41_good_ones_neither_close_the_domain_nor_make_it_rest() {
    for (FetchOutcome failure : List.of(new Forbidden(403), new ServerError(500))) {
      for (Duration latency : List.of(Duration.ofMillis(80), Duration.ofSeconds(4))) {
        Rehearsal each = among41(failure, latency);
        assertThat(each.run()).isEqualTo(new Crawl.End.Finished());
        assertThat(each.state("a.example").standing()).isEqualTo(Standing.EXHAUSTED);
        assertThat(each.state("a.example").failures().streak()).isEmpty();
        List<Duration> gaps = gaps(each.web.visits());
        // A first failure that is a 500 rests 2 s; nothing is waited for any longer.
        assertThat(gaps).as("%s %s", failure, latency).allMatch(gap -> gap.toSeconds() < 10);
        String said = said(each);
        assertThat(said).doesNotContain("close the domain");
      }
    }
  }

  /** Every sixth of 49 pages fails, the last of all does not. */
  private static Rehearsal among41(FetchOutcome failure, Duration latency) {
    Rehearsal each = new Rehearsal();
    PretendWeb.Site mixed = each.web.site(SITE).page("/robots.txt");
    String[] pages = IntStream.range(0, 48).mapToObj(page -> "/" + page).toArray(String[]::new);
    mixed.page("/", pages);
    for (int page = 0; page < 48; page++) {
      mixed.latency("/" + page, latency);
      if (page % 6 == 3) {
        mixed.answer("/" + page, failure);
      } else {
        mixed.page("/" + page);
      }
    }
    each.seed(SITE + "/");
    return each;
  }

  @Test
  void a_forbidden_page_is_asked_twice_and_slows_no_other() {
    String[] pages = IntStream.range(0, 20).mapToObj(page -> "/" + page).toArray(String[]::new);
    site.page("/robots.txt").page("/", pages);
    for (String page : pages) {
      site.page(page);
    }
    site.answer("/3", new Forbidden(403));
    rehearsal.seed(SITE + "/");
    rehearsal.run();
    List<String> asked = pagesAsked();
    assertThat(asked).filteredOn((SITE + "/3")::equals).hasSize(2);
    assertThat(asked).last().isEqualTo(SITE + "/3");
    assertThat(gaps(rehearsal.web.visits())).allMatch(gap -> gap.toMillis() < 1100);
  }

  @Test
  void a_broken_page_is_asked_four_times_and_slows_the_others_by_one_rest_of_two_seconds() {
    String[] pages = IntStream.range(0, 20).mapToObj(page -> "/" + page).toArray(String[]::new);
    site.page("/robots.txt").page("/", pages);
    for (String page : pages) {
      site.page(page);
    }
    site.answer("/3", new ServerError(500));
    rehearsal.seed(SITE + "/");
    rehearsal.run();
    List<Visit> visits = rehearsal.web.visits();
    assertThat(pagesAsked()).filteredOn((SITE + "/3")::equals).hasSize(4);
    assertThat(pagesAsked().subList(21, 24)).containsOnly(SITE + "/3");
    // The rest after its first failure is the only gap among the other pages.
    List<Duration> others = gaps(visits.subList(0, 22));
    assertThat(others).filteredOn(gap -> gap.toMillis() >= 1100).hasSize(1);
    assertThat(others).allMatch(gap -> gap.toMillis() < 2200);
  }

  @Test
  void a_domain_with_nothing_left_is_finished_at_once_whatever_its_delay() {
    site.page("/robots.txt", "delay 300").page("/");
    rehearsal.seed(SITE + "/");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
    assertThat(rehearsal.time.instant()).isEqualTo(answered(rehearsal.web.visits().getLast()));
  }

  @Test
  void a_domain_with_nothing_left_is_finished_and_not_parked() {
    site.page("/robots.txt", "delay 900").page("/");
    rehearsal.seed(SITE + "/");
    rehearsal.run();
    assertThat(rehearsal.runAfter(Duration.ofMinutes(15))).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.endings).last().isEqualTo(new Ending.Exhausted());
    assertThat(rehearsal.done()).containsExactly(SITE + "/");
    // The delay is kept all the same, should another page be found.
    assertThat(new DomainPolicy(rehearsal.settings).nextStart(rehearsal.state("a.example")))
        .isEqualTo(rehearsal.web.visits().getLast().startedAt().plusSeconds(900));
  }

  @Test
  void a_domain_whose_last_page_failed_does_not_wait_out_its_rest() {
    site.page("/robots.txt").page("/").answer("/broken", new ServerError(500));
    rehearsal.seed(SITE + "/", SITE + "/broken");
    rehearsal.run();
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
    assertThat(rehearsal.time.instant()).isEqualTo(answered(rehearsal.web.visits().getLast()));
  }

  @Test
  void a_site_that_refuses_everything_is_parked_after_ten_minutes_and_the_run_ends() {
    site.otherwise(_ -> REFUSED).page("/robots.txt");
    rehearsal.seed(SITE + "/", SITE + "/1");
    Crawl.End end = rehearsal.run();
    Duration took = Duration.between(Rehearsal.START, rehearsal.time.instant());
    // It is tried again when a window of 15 minutes would have ended, and parked then.
    assertThat(took).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(16));
    Instant last = answered(rehearsal.web.visits().getLast());
    assertThat(end).isEqualTo(new Crawl.End.Parked(last.plus(Duration.ofHours(1))));
    assertThat(standing().mayBeAsked()).isTrue();
    assertThat(rehearsal.settled).noneMatch(one -> one.fate().isPage());
  }

  @Test
  void a_site_that_refuses_everything_even_its_robots_txt_is_parked_as_well() {
    site.otherwise(_ -> REFUSED);
    rehearsal.seed(SITE + "/");
    assertThat(rehearsal.run()).isInstanceOf(Crawl.End.Parked.class);
    assertThat(Duration.between(Rehearsal.START, rehearsal.time.instant()))
        .isLessThan(Duration.ofMinutes(15));
  }

  @Test
  void a_parked_site_is_asked_once_more_when_its_time_has_come_and_parked_for_twice_as_long() {
    site.otherwise(_ -> REFUSED);
    rehearsal.seed(SITE + "/");
    List<Long> hours = new ArrayList<>();
    Crawl.End end = rehearsal.run();
    int asked = rehearsal.web.visits().size();
    while (end instanceof Crawl.End.Parked(var until)) {
      Duration parked = Duration.between(rehearsal.time.instant(), until);
      hours.add(Math.round(parked.toMinutes() / 60.0));
      end = rehearsal.runAfter(parked);
      assertThat(rehearsal.web.visits()).hasSize(++asked);
    }
    assertThat(hours).startsWith(1L, 2L, 4L, 8L, 16L, 24L, 24L);
    assertThat(end).isEqualTo(new Crawl.End.Finished());
    assertThat(standing().reason()).contains(CloseReason.RATE_LIMITED);
    assertThat(asked).isEqualTo(20);
  }

  @Test
  void a_site_that_serves_only_its_robots_txt_is_blocked_after_twenty_refusals() {
    site.otherwise(_ -> REFUSED).page("/robots.txt");
    rehearsal.seed(SITE + "/", SITE + "/1");
    Crawl.End end = rehearsal.run();
    // Its rules are read again every day, and each time the site answers that request.
    for (int parks = 0; end instanceof Crawl.End.Parked(var until) && parks < 30; parks++) {
      end = rehearsal.runAfter(Duration.between(rehearsal.time.instant(), until));
    }
    assertThat(end).isEqualTo(new Crawl.End.Finished());
    assertThat(standing().reason()).contains(CloseReason.RATE_LIMITED);
    assertThat(rehearsal.web.asked().stream().filter(url -> !url.endsWith("/robots.txt")))
        .hasSize(20);
    assertThat(rehearsal.web.asked().stream().filter(url -> url.endsWith("/robots.txt")).count())
        .isGreaterThan(1);
  }

  @Test
  void a_daily_quota_is_waited_for_and_never_blocks() {
    Instant opens = Rehearsal.START.plus(Duration.ofHours(24));
    site.page("/robots.txt")
        .answer("/", now -> now.isBefore(opens) ? REFUSED : new FetchOutcome.ClientError(404));
    rehearsal.seed(SITE + "/");
    Crawl.End end = rehearsal.run();
    while (end instanceof Crawl.End.Parked(var until)) {
      end = rehearsal.runAfter(Duration.between(rehearsal.time.instant(), until));
    }
    assertThat(end).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).containsExactly(SITE + "/");
    assertThat(standing()).isEqualTo(Standing.EXHAUSTED);
  }

  @Test
  void a_job_fails_at_the_third_different_url_in_a_row_whose_latest_request_failed() {
    rehearsal.settings = rehearsal.settings.with(jobFailsAfter(3));
    site.otherwise(_ -> new ServerError(500)).page("/robots.txt");
    for (int page = 0; page < 60; page++) {
      rehearsal.seed(SITE + "/" + page);
    }
    rehearsal.run();
    assertThat(pagesAsked()).containsExactly(SITE + "/0", SITE + "/1", SITE + "/2");
    assertThat(rehearsal.endings).containsExactly(new Ending.JobFailed("3 URLs in a row failed"));
  }

  @Test
  void one_url_that_keeps_failing_is_one_however_often_it_is_asked() {
    rehearsal.settings = rehearsal.settings.with(jobFailsAfter(3));
    site.page("/robots.txt").answer("/0", new ServerError(500)).answer("/1", new TimedOut("30 s"));
    rehearsal.seed(SITE + "/0", SITE + "/1");
    rehearsal.run();
    assertThat(pagesAsked()).hasSize(8);
    assertThat(rehearsal.endings).hasSize(1).first().isInstanceOf(Ending.Closed.class);
  }

  @Test
  void a_success_between_them_keeps_a_job_from_failing() {
    rehearsal.settings = rehearsal.settings.with(jobFailsAfter(3));
    site.page("/robots.txt");
    for (int page = 0; page < 30; page++) {
      if (page % 3 == 2) {
        site.page("/" + page);
      } else {
        site.answer("/" + page, new ServerError(500));
      }
      rehearsal.seed(SITE + "/" + page);
    }
    rehearsal.run();
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
    assertThat(rehearsal.done()).hasSize(10);
  }

  private static FailureSettings jobFailsAfter(int urls) {
    return new FailureSettings(5, 3, urls);
  }

  private Standing standing() {
    return rehearsal.state("a.example").standing();
  }

  private static String said(Rehearsal each) {
    return new DomainPolicy(each.settings)
        .explain(each.state("a.example"), InFlight.NONE, each.time.instant())
        .words();
  }

  private List<String> pagesAsked() {
    return rehearsal.web.asked().stream().filter(url -> !url.endsWith("/robots.txt")).toList();
  }

  private static int mostInFlight(Rehearsal each) {
    return each.web.visits().stream().mapToInt(Visit::inFlight).max().orElseThrow();
  }

  /** Where no other time is set, an answer takes 80 ms. */
  private static Instant answered(Visit visit) {
    return visit.startedAt().plusMillis(80);
  }

  private static List<Duration> gaps(List<Visit> visits) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < visits.size(); i++) {
      gaps.add(Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt()));
    }
    return gaps;
  }
}
