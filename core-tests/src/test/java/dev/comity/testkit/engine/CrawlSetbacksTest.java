package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.Signal;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.SitesCrawled;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sites that refuse, a network that fails, and a crawl that is stopped. */
class CrawlSetbacksTest extends SitesCrawled {
  @Test
  void a_refused_url_is_not_lost_and_nothing_is_asked_while_the_site_wants_to_be_left_alone() {
    AtomicInteger asked = new AtomicInteger();
    web.site("http://a.example")
        .page("/", "/1", "/2", "/3")
        .answer(
            "/1",
            (Instant _) ->
                asked.incrementAndGet() == 1
                    ? new FetchOutcome.RateLimited(429, Optional.of(Duration.ofSeconds(100)))
                    : new FetchOutcome.ClientError(404));
    assertThat(crawl("http://a.example/")).isEqualTo(new Crawl.End.Finished());
    assertThat(settled).filteredOn(one -> one.fate() instanceof Fate.Done).hasSize(4);
    List<Visit> visits = web.visits();
    int refused = web.asked().indexOf("http://a.example/1");
    Instant heard = visits.get(refused).startedAt().plusMillis(80);
    assertThat(visits.get(refused + 1).startedAt())
        .isEqualTo(heard.plusSeconds(100).plusMillis(20));
    assertThat(web.asked()).endsWith("http://a.example/1");
  }

  @Test
  void a_site_that_asks_for_an_hour_is_given_back_and_the_run_says_until_when() {
    web.site("http://a.example")
        .answer("/", new FetchOutcome.RateLimited(503, Optional.of(Duration.ofHours(1))));
    assertThat(crawl("http://a.example/"))
        .isEqualTo(new Crawl.End.Parked(START.plusMillis(1120).plus(Duration.ofHours(1))));
    assertThat(endings).hasSize(1).first().isInstanceOf(Ending.RestUntil.class);
  }

  @Test
  void five_urls_that_are_forbidden_close_the_domain_with_its_reason() {
    web.site("http://a.example")
        .page("/", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8")
        .otherwise(_ -> new FetchOutcome.Forbidden(403));
    crawl("http://a.example/");
    assertThat(web.asked()).hasSize(7);
    assertThat(endings).hasSize(1);
    assertThat(endings.getFirst())
        .isInstanceOfSatisfying(
            Ending.Closed.class,
            closed -> {
              assertThat(closed.standing().status()).isEqualTo(DomainStatus.BLOCKED);
              assertThat(closed.standing().reason()).contains(CloseReason.FORBIDDEN);
            });
  }

  @Test
  void a_robots_txt_that_denies_everything_blocks_the_domain() {
    web.site("http://a.example").page("/robots.txt", "deny /").page("/");
    crawl("http://a.example/", "http://a.example/1");
    assertThat(web.asked()).containsExactly("http://a.example/robots.txt");
    assertThat(settled).extracting(Settlement::fate).containsOnly(new Fate.Denied()).hasSize(2);
    assertThat(endings.getFirst())
        .isInstanceOfSatisfying(
            Ending.Closed.class,
            closed -> assertThat(closed.standing().reason()).contains(CloseReason.ROBOTS_DENIED));
  }

  @Test
  void an_outage_of_our_own_is_recognised_nobody_is_blamed_and_everything_is_crawled() {
    Instant down = START.plusSeconds(20);
    Instant up = START.plusSeconds(80);
    List<String> seeds = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      PretendWeb.Site site = web.site("http://s" + number + ".example");
      List<String> links = new ArrayList<>();
      for (int page = 0; page < 60; page++) {
        links.add("/" + page);
        site.page("/" + page);
      }
      site.page("/", links.toArray(String[]::new));
      site.unconnectable(
          now -> now.isAfter(down) && now.isBefore(up) ? Optional.of(REFUSED) : Optional.empty());
      seeds.add("http://s" + number + ".example/");
    }
    assertThat(crawl(seeds.toArray(String[]::new))).isEqualTo(new Crawl.End.Finished());
    assertThat(outages).containsExactly(true, false);
    assertThat(endings).hasSize(8).containsOnly(new Ending.Exhausted());
    assertThat(settled).filteredOn(one -> one.fate() instanceof Fate.Done).hasSize(8 * 61);
    assertThat(settled).noneMatch(one -> one.fate() instanceof Fate.Failed);
    // Recognised within one delay, back within one knock.
    assertThat(web.visits())
        .noneMatch(visit -> visit.startedAt().isAfter(down) && visit.startedAt().isBefore(up));
    assertThat(web.visits())
        .anyMatch(
            visit ->
                visit.startedAt().isBefore(up.plusSeconds(7)) && visit.startedAt().isAfter(up));
  }

  @Test
  void a_stop_sends_nothing_more_and_waits_for_what_is_under_way() {
    web.site("http://a.example")
        .latency(Duration.ofMillis(20), Duration.ofSeconds(4))
        .page("/", "/1");
    Crawl crawl = crawlOf(web);
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.EPOCH);
    Crawl.End end = time.run(() -> runAndStopAt(crawl, START.plusSeconds(5)));
    assertThat(end).isEqualTo(new Crawl.End.Stopped());
    assertThat(web.asked()).containsExactly("http://a.example/robots.txt", "http://a.example/");
    assertThat(settled).hasSize(1);
    assertThat(time.instant()).isEqualTo(START.plusMillis(8040));
    assertThat(endings).containsExactly(new Ending.Stopped());
  }

  @Test
  void a_stop_does_not_wait_beyond_its_grace_and_what_was_in_flight_is_not_lost() {
    web.site("http://a.example")
        .page("/robots.txt")
        .latency(Duration.ofMillis(20), Duration.ofSeconds(50))
        .page("/");
    Crawl crawl = crawlOf(web);
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.EPOCH);
    time.run(() -> runAndStopAt(crawl, START.plusSeconds(60)));
    assertThat(time.instant()).isEqualTo(START.plusSeconds(70));
    assertThat(settled).isEmpty();
    assertThat(store.claim(1, time.instant())).hasSize(1);
  }

  @Test
  void an_unexpected_failure_stops_the_crawl_and_is_told() {
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.EPOCH);
    Fetcher broken =
        new Fetcher() {
          @Override
          public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure) {
            throw new IllegalStateException("a bug");
          }

          @Override
          public boolean reaches(Authority authority) {
            return false;
          }
        };
    assertThatThrownBy(() -> time.run(() -> crawlOf(broken).run()))
        .hasRootCauseMessage("a bug")
        .hasCauseInstanceOf(CrawlFailed.class);
  }

  private Crawl.End runAndStopAt(Crawl crawl, Instant at) throws InterruptedException {
    time.start(
        "operator",
        () -> {
          try {
            time.await(new Signal(), at);
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          crawl.stop();
        });
    return crawl.run();
  }
}
