package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Fleet;
import dev.comity.testkit.engine.support.SkewedTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several workers on one store keep every promise that one keeps. */
class FleetTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Fleet fleet = new Fleet(Duration.ofMinutes(5));
  private final Map<String, Crawl.End> ends = new HashMap<>();

  @Test
  void a_worker_does_not_end_the_run_while_another_is_at_work() {
    fleet.site("a.example", 30);
    fleet.seed("http://a.example/");
    fleet.time.run(
        () -> {
          fleet.worker("one").startInto(ends);
          fleet.pass(Duration.ofSeconds(2));
          ends.put("two", fleet.worker("two").run());
          fleet.pass(Duration.ofMinutes(1));
          return true;
        });
    assertThat(ends.values()).containsOnly(new Crawl.End.Finished());
    assertThat(fleet.settled).hasSize(31);
    assertThat(fleet.leftAt.get("two")).isAfter(Fleet.START.plusSeconds(30));
  }

  @Test
  void two_workers_settle_the_pages_of_one_budget_together() {
    fleet.maxPages = 10;
    fleet.site("a.example", 30);
    fleet.site("b.example", 30);
    fleet.seed("http://a.example/", "http://b.example/");
    fleet.maxClaims = 1;
    fleet.time.run(
        () -> {
          fleet.worker("one").startInto(ends);
          fleet.worker("two").startInto(ends);
          fleet.pass(Duration.ofMinutes(5));
          return true;
        });
    assertThat(fleet.settled.stream().filter(Settlement::isPage)).hasSize(10);
    assertThat(ends.values()).containsOnly(new Crawl.End.OutOfBudget());
  }

  @Test
  void a_robots_txt_on_a_domain_that_another_worker_holds_closes_nothing() {
    fleet
        .web
        .site("http://a.example")
        .answer("/robots.txt", redirect("http://b.example/bots.txt"))
        .page("/");
    fleet.site("b.example", 60);
    fleet.web.site("http://b.example").page("/bots.txt", "deny /private");
    fleet.maxClaims = 1;
    fleet.seed("http://b.example/");
    fleet.time.run(
        () -> {
          fleet.worker("one").startInto(ends);
          fleet.pass(SECOND.multipliedBy(2));
          fleet.seed("http://a.example/");
          fleet.worker("two").startInto(ends);
          fleet.pass(Duration.ofMinutes(5));
          return true;
        });
    assertThat(fleet.web.asked()).contains("http://a.example/");
  }

  private static Redirect redirect(String target) {
    return new Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  @Test
  void workers_with_clocks_apart_keep_the_delay_between_their_requests() {
    fleet.site("a.example", 5);
    fleet.seed("http://a.example/");
    fleet.time.run(
        () -> {
          Fleet.Worker behind = fleet.worker("one", Duration.ofMinutes(-10));
          behind.startInto(ends);
          fleet.pass(Duration.ofMillis(3_200));
          behind.crawl.stop();
          fleet.pass(Duration.ofMillis(100));
          ends.put("two", fleet.worker("two").run());
          return true;
        });
    assertThat(fleet.starts("a.example")).hasSize(7);
    assertThat(fleet.shortestGap("a.example")).isGreaterThanOrEqualTo(SECOND);
  }

  @Test
  void a_rest_that_a_worker_with_another_clock_wrote_is_kept_in_full() {
    fleet
        .web
        .site("http://a.example")
        .page("/robots.txt")
        .answer("/", new RateLimited(429, Optional.of(Duration.ofMinutes(5))));
    fleet.seed("http://a.example/");
    fleet.time.run(
        () -> {
          Fleet.Worker behind = fleet.worker("one", Duration.ofMinutes(-10));
          behind.startInto(ends);
          fleet.pass(Duration.ofSeconds(4));
          behind.crawl.stop();
          fleet.pass(Duration.ofMillis(100));
          Fleet.Worker two = fleet.worker("two");
          two.startInto(ends);
          fleet.pass(Duration.ofMinutes(6));
          two.crawl.stop();
          fleet.pass(Duration.ofSeconds(10));
          return true;
        });
    assertThat(fleet.starts("a.example")).hasSizeGreaterThan(2);
    assertThat(Duration.between(fleet.starts("a.example").get(1), fleet.starts("a.example").get(2)))
        .isGreaterThanOrEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void a_claim_is_over_as_soon_as_the_wall_clock_says_so() {
    fleet.site("a.example", 10);
    fleet.web.site("http://a.example").page("/robots.txt", "delay 20");
    fleet.seed("http://a.example/");
    SkewedTimeline clock = new SkewedTimeline(fleet.time, Duration.ZERO);
    fleet.time.run(
        () -> {
          fleet.worker("one", clock).startInto(ends);
          fleet.pass(Duration.ofSeconds(50));
          // As after a suspension: the monotonic clock has not seen the time that went by.
          clock.setWallForward(Duration.ofMinutes(5));
          fleet.pass(Duration.ofMinutes(10));
          return true;
        });
    assertThat(fleet.endings).containsExactly(new Ending.Lost(), new Ending.Exhausted());
    assertThat(fleet.shortestGap("a.example")).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
    assertThat(fleet.settled).hasSize(11);
  }

  @Test
  void a_dead_worker_s_domains_and_pages_are_another_s_after_its_lease() {
    fleet.maxPages = 10;
    fleet.site("a.example", 30);
    fleet.seed("http://a.example/");
    fleet.time.run(
        () -> {
          // It draws the whole budget, claims the domain and is never heard of again.
          var dead = fleet.memory.another("dead");
          dead.begin(fleet.terms(), Fleet.START);
          dead.draw(500);
          assertThat(dead.claim(1, Fleet.START)).hasSize(1);
          ends.put("two", fleet.worker("two").run());
          return true;
        });
    assertThat(ends.values()).containsOnly(new Crawl.End.OutOfBudget());
    assertThat(fleet.settled.stream().filter(Settlement::isPage)).hasSize(10);
    assertThat(fleet.starts("a.example").getFirst())
        .isAfterOrEqualTo(Fleet.START.plus(Duration.ofMinutes(5)).plus(SECOND));
  }

  @Test
  void a_worker_that_comes_back_without_its_portion_settles_nothing_beyond_the_budget() {
    fleet.maxPages = 2;
    fleet.seed("http://a.example/", "http://b.example/", "http://b.example/2");
    var one = fleet.memory.another("one");
    var two = fleet.memory.another("two");
    fleet.time.run(
        () -> {
          one.begin(fleet.terms(), Fleet.START);
          two.begin(fleet.terms(), Fleet.START);
          one.claim(1, Fleet.START);
          assertThat(one.draw(500).granted()).isEqualTo(2);
          fleet.pass(Duration.ofMinutes(5));
          Claim other = claim(two, "b.example");
          assertThat(two.draw(500).granted()).isEqualTo(2);
          for (int page = 0; page < 2; page++) {
            two.settle(other, page(two, other, fleet.time.instant()));
          }
          fleet.pass(Duration.ofMinutes(5));
          Claim again = claim(one, "a.example");
          Settlement late = page(one, again, fleet.time.instant());
          assertThatThrownBy(() -> one.settle(again, late)).isInstanceOf(ClaimLost.class);
          return true;
        });
    assertThat(fleet.memory.pagesOfRun()).isEqualTo(2);
  }

  private Claim claim(MemoryStore store, String domain) {
    return store.claim(2, fleet.time.instant()).stream()
        .filter(claim -> claim.domain().name().equals(domain))
        .findFirst()
        .orElseThrow();
  }

  private static Settlement page(MemoryStore store, Claim claim, Instant now) {
    QueuedUrl entry = ((Next.Ready) store.frontier().next(claim, now)).entry();
    return new Settlement(
        entry,
        Optional.of(new Attempt(entry.url(), Kind.PAGE, 1, now, SECOND)),
        Optional.of(
            new Fetched(
                new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY),
                Optional.empty(),
                SECOND,
                0)),
        new Fate.Done(Category.SUCCESS),
        claim.state(),
        List.of(),
        Optional.empty());
  }
}
