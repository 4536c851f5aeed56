package dev.comity.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.process.Terminal.Window;
import dev.comity.app.text.Cells;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.plan.CrawlSnapshot.AtWork;
import dev.comity.core.engine.plan.CrawlSnapshot.Wait;
import dev.comity.core.policy.Pace;
import dev.comity.core.policy.Pace.Rule;
import dev.comity.core.policy.Turn.Why;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The live view to the character, in windows of all sizes. */
class LiveViewTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private static final AtWork FAST = domain("fast.example", 1000, Rule.MINIMUM, Optional.empty());
  private static final AtWork SLOW =
      domain("slow.example", 10_000, Rule.CRAWL_DELAY, waiting(6, Why.DELAY));
  private static final AtWork STERN =
      domain("stern.example", 2500, Rule.LEARNED, waiting(25, Why.RETRY_AFTER));

  private static final Census CENSUS =
      new Census(
          12_304,
          2,
          Map.of(
              DomainStatus.PENDING,
              42L,
              DomainStatus.ACTIVE,
              3L,
              DomainStatus.EXHAUSTED,
              7L,
              DomainStatus.BLOCKED,
              2L,
              DomainStatus.UNREACHABLE,
              1L));

  private static AtWork domain(String name, long delay, Rule rule, Optional<Wait> waiting) {
    return new AtWork(
        CrawlUrl.of("http://" + name + "/").domain(),
        0,
        new Pace(Duration.ofMillis(delay), rule),
        waiting);
  }

  private static Optional<Wait> waiting(long seconds, Why why) {
    return Optional.of(new Wait(NOON.plusSeconds(seconds), why.words(), why.isRest()));
  }

  private static Snapshot crawl(CrawlSnapshot snapshot, Optional<Census> census) {
    return new Snapshot(
        NOON,
        Duration.ofSeconds(50),
        412,
        3,
        1,
        431,
        8.3,
        Optional.of(Duration.ofSeconds(70)),
        256,
        snapshot,
        census,
        NOON);
  }

  private static CrawlSnapshot snapshot(int inFlight, AtWork... domains) {
    return new CrawlSnapshot(
        inFlight, 0, domains.length, false, Optional.empty(), List.of(domains));
  }

  private static final Snapshot BUSY = crawl(snapshot(9, FAST, SLOW, STERN), Optional.of(CENSUS));

  @Test
  void a_busy_crawl_in_a_large_window() {
    assertThat(LiveView.lines(BUSY, new Window(100, 30)))
        .containsExactly(
            "412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused, 431 requests, 50 s so far",
            "3 domains at work, 1 resting, 40 waiting, 2 out of pages, 7 done, 2 blocked, 1"
                + " unreachable",
            "9 of 256 in flight, 12304 URLs queued",
            "  rests  stern.example  until 12:00:25 UTC (25 s): the site said how long to stay"
                + " away",
            "  slow   slow.example   10 s between requests: the delay that its robots.txt asks for",
            "  slow   stern.example  2.5 s between requests: what its refusals taught");
  }

  @Test
  void the_same_in_a_narrow_one() {
    assertThat(LiveView.lines(BUSY, new Window(40, 10)))
        .containsExactly(
            "412 pages, 8.3/s, about 70 s left",
            "3 domains at work, 1 resting",
            "9 of 256 in flight, 12304 URLs queued",
            "  rests  stern.example  until 12:00:25…",
            "  slow   slow.example   10 s between r…",
            "  slow   stern.example  2.5 s between …");
  }

  @Test
  void in_a_low_one_only_what_matters_most() {
    assertThat(LiveView.lines(BUSY, new Window(60, 5)))
        .containsExactly("412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused");
    assertThat(LiveView.lines(BUSY, new Window(60, 6)))
        .containsExactly(
            "412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused",
            "3 domains at work, 1 resting, 40 waiting, 2 out of pages",
            "9 of 256 in flight, 12304 URLs queued",
            "  rests  stern.example  until 12:00:25 UTC (25 s): the sit…",
            "  slow   slow.example   10 s between requests: the delay t…");
    assertThat(LiveView.lines(crawl(snapshot(0, STERN), Optional.empty()), new Window(60, 2)))
        .containsExactly("412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused");
    assertThat(LiveView.lines(BUSY, new Window(20, 1))).containsExactly("412 pages, 8.3/s");
  }

  @Test
  void when_nothing_happens_it_says_why_and_until_when() {
    assertThat(LiveView.lines(crawl(snapshot(0, SLOW, STERN), Optional.empty()), new Window(90, 8)))
        .containsExactly(
            "412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused, 431 requests, 50 s so far",
            "2 domains at work, 1 resting",
            "0 of 256 in flight",
            "  rests  stern.example  until 12:00:25 UTC (25 s): the site said how long to stay"
                + " away",
            "  slow   slow.example   10 s between requests: the delay that its robots.txt asks for",
            "  slow   stern.example  2.5 s between requests: what its refusals taught",
            "waiting: slow.example until 12:00:06 UTC (6.0 s): the delay since the last request"
                + " has n…");
    assertThat(still(snapshot(0, STERN)))
        .contains(
            "waiting: stern.example until 12:00:25 UTC (25 s): the site said how long to stay"
                + " away");
    assertThat(LiveView.lines(crawl(snapshot(0, STERN), Optional.empty()), new Window(60, 3)))
        .containsExactly(
            "412 pages, 8.3/s, about 70 s left, 3 failed, 1 refused",
            "waiting: stern.example until 12:00:25 UTC (25 s): the site…");
  }

  @Test
  void as_long_as_something_may_happen_nothing_is_waited_for() {
    assertThat(still(snapshot(1, STERN))).isEmpty();
    assertThat(still(snapshot(0, FAST, STERN))).isEmpty();
    AtWork over = domain("over.example", 1000, Rule.MINIMUM, waiting(0, Why.DELAY));
    assertThat(still(snapshot(0, over, STERN))).isEmpty();
    assertThat(still(CrawlSnapshot.NOTHING)).isEmpty();
  }

  @Test
  void between_two_requests_of_a_steady_pace_nothing_is_explained() {
    AtWork soon = domain("soon.example", 2000, Rule.MINIMUM, waiting(1, Why.DELAY));
    assertThat(still(snapshot(0, soon, STERN))).isEmpty();
    AtWork later = domain("later.example", 2000, Rule.MINIMUM, waiting(2, Why.DELAY));
    assertThat(still(snapshot(0, later, STERN))).isPresent();
  }

  @Test
  void where_no_domain_is_held_the_next_one_is_waited_for() {
    Instant tomorrow = NOON.plus(Duration.ofHours(13));
    assertThat(still(new CrawlSnapshot(0, 0, 0, false, Optional.of(tomorrow), List.of())))
        .contains("waiting: nothing may be asked before 2026-11-02 01:00:00 UTC (13 h 0 min)");
  }

  @Test
  void our_own_outage_is_named_before_all_else() {
    assertThat(still(new CrawlSnapshot(3, 0, 1, true, Optional.empty(), List.of(STERN))))
        .contains("waiting: the network here seems to be down");
  }

  private static Optional<String> still(CrawlSnapshot snapshot) {
    return LiveView.stillness(crawl(snapshot, Optional.empty()));
  }

  @Test
  void whatever_the_window_and_however_many_domains_it_fits() {
    List<AtWork> many = new ArrayList<>();
    for (int number = 0; number < 200; number++) {
      many.add(
          domain(
              "site-%03d.example".formatted(number),
              2500,
              Rule.LEARNED,
              waiting(number, Why.REFUSED)));
    }
    Snapshot crawl = crawl(snapshot(0, many.toArray(AtWork[]::new)), Optional.of(CENSUS));
    for (int columns = 1; columns <= 120; columns++) {
      for (int rows = 1; rows <= 40; rows += rows < 14 ? 1 : 13) {
        List<String> lines = LiveView.lines(crawl, new Window(columns, rows));
        assertThat(lines.size()).isBetween(1, Math.clamp(rows - 1, 1, 12));
        int room = columns - 1;
        assertThat(lines).allMatch(line -> Cells.width(line) <= room);
      }
    }
    assertThat(LiveView.lines(crawl, new Window(80, 40)).get(3))
        .isEqualTo(
            "  rests  site-199.example  until 12:03:19 UTC (3 min): the site refused a requ…");
  }
}
