package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Fleet;
import java.time.Duration;
import java.util.HashMap;
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
}
