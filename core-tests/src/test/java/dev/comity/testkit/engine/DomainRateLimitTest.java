package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What a limiter per domain was asked for, with the figures by which its success is measured. Ten
 * thousand domains in less than 10 MB: {@link DomainMemoryTest}; idle entries that go and recent
 * ones that stay: {@link IdleDomainsTest}.
 */
class DomainRateLimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Rehearsal crawl = new Rehearsal();

  DomainRateLimitTest() {
    crawl.sitemaps = false;
    crawl.maxPages = 100_000;
  }

  @Test
  void the_first_request_to_a_domain_waits_for_nothing() {
    site("one.example", 1);
    run();
    assertThat(starts("one.example").getFirst())
        .isBetween(Rehearsal.START, Rehearsal.START.plusMillis(100));
  }

  @Test
  void a_request_within_the_interval_waits_for_its_rest() {
    site("one.example", 3);
    run();
    assertThat(gaps("one.example")).hasSize(3).allMatch(gap -> gap.compareTo(SECOND) >= 0);
    assertThat(gaps("one.example")).allMatch(gap -> gap.compareTo(Duration.ofMillis(1_100)) < 0);
  }

  @Test
  void a_request_after_the_interval_does_not_wait() {
    Site site = site("one.example", 1);
    site.latency("/0", Duration.ofSeconds(4));
    site.page("/0", "http://one.example/late");
    site.page("/late");
    run();
    Instant found = starts("one.example").get(1).plusSeconds(4);
    assertThat(starts("one.example").getLast()).isBetween(found, found.plusMillis(100));
  }

  @Test
  void a_site_that_refuses_more_than_one_request_a_second_refuses_none_of_a_hundred() {
    AtomicInteger refused = new AtomicInteger();
    Instant[] last = {Instant.MIN};
    crawl
        .web
        .site("http://everlane.example")
        .otherwise(
            now -> {
              boolean tooSoon = now.isBefore(last[0].plus(SECOND));
              last[0] = now;
              if (tooSoon) {
                refused.incrementAndGet();
                return new RateLimited(429, Optional.empty());
              }
              return new Success(200, Headers.NONE, Body.EMPTY);
            })
        .answer("/robots.txt", now -> answered(now, last));
    for (int page = 0; page < 100; page++) {
      crawl.seed("http://everlane.example/" + page);
    }
    run();
    assertThat(crawl.done()).hasSize(100);
    assertThat(refused).hasValue(0);
  }

  private static FetchOutcome answered(Instant now, Instant[] last) {
    last[0] = now;
    return new FetchOutcome.ClientError(404);
  }

  @Test
  void a_hundred_domains_get_nearly_a_hundred_requests_a_second_and_none_of_them_more_than_one() {
    for (int domain = 0; domain < 100; domain++) {
      site("d" + domain + ".example", 49);
    }
    run();
    int requests = crawl.web.asked().size();
    assertThat(requests).isEqualTo(100 * 51 - 100);
    Duration took = Duration.between(Rehearsal.START, crawl.time.instant());
    assertThat(requests / (took.toMillis() / 1000.0)).isGreaterThan(95);
    for (int domain = 0; domain < 100; domain++) {
      assertThat(gaps("d" + domain + ".example")).allMatch(gap -> gap.compareTo(SECOND) >= 0);
    }
  }

  @Test
  void a_hundred_domains_are_crawled_in_the_time_of_one() {
    site("one.example", 20);
    run();
    Duration one = Duration.between(Rehearsal.START, crawl.time.instant());
    Rehearsal many = new Rehearsal();
    many.sitemaps = false;
    DomainRateLimitTest all = new DomainRateLimitTest();
    for (int domain = 0; domain < 100; domain++) {
      all.site("d" + domain + ".example", 20);
    }
    all.run();
    Duration hundred = Duration.between(Rehearsal.START, all.crawl.time.instant());
    assertThat(hundred).isLessThan(one.plus(Duration.ofSeconds(2)));
  }

  @Test
  void with_a_crawl_delay_of_5_requests_start_5_seconds_apart() {
    site("slow.example", 10).page("/robots.txt", "delay 5");
    run();
    assertThat(gaps("slow.example"))
        .hasSize(10)
        .allMatch(gap -> gap.compareTo(Duration.ofSeconds(5)) >= 0)
        .allMatch(gap -> gap.compareTo(Duration.ofMillis(5_100)) < 0);
  }

  @Test
  void no_domain_is_left_in_the_limiter_when_all_are_done() {
    for (int domain = 0; domain < 100; domain++) {
      site("d" + domain + ".example", 2);
    }
    Crawl whole = crawl.crawl();
    crawl.time.run(whole::run);
    assertThat(whole.snapshot().paced()).isZero();
  }

  /** A host with a robots.txt that allows everything, and so many pages. */
  private Site site(String host, int pages) {
    Site site = crawl.web.site("http://" + host);
    for (int page = 0; page < pages; page++) {
      site.page("/" + page);
      crawl.seed("http://" + host + "/" + page);
    }
    return site;
  }

  private void run() {
    assertThat(crawl.run()).isInstanceOf(Crawl.End.Finished.class);
  }

  private List<Instant> starts(String host) {
    return crawl.web.visits().stream()
        .filter(visit -> visit.url().host().equals(host))
        .map(Visit::startedAt)
        .toList();
  }

  private List<Duration> gaps(String host) {
    List<Instant> starts = starts(host);
    List<Duration> gaps = new ArrayList<>();
    for (int start = 1; start < starts.size(); start++) {
      gaps.add(Duration.between(starts.get(start - 1), starts.get(start)));
    }
    return gaps;
  }
}
