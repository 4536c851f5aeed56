package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Pace;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What those who watch a crawl are told and can see, and the time it may be given. */
class WatchedTest {
  private static final Instant START = Rehearsal.START;

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void a_crawl_ends_by_itself_when_its_time_is_over_and_leaves_the_rest() {
    rehearsal.web.site("http://a.example").page("/", "/1", "/2", "/3", "/4", "/5").page("/1");
    rehearsal.seed("http://a.example/");
    Crawl crawl = rehearsal.crawl();
    crawl.endAt(START.plusMillis(2500));
    Crawl.End end = rehearsal.time.run(crawl::run);
    assertThat(end).isEqualTo(new Crawl.End.OutOfTime());
    // At 0 s its robots.txt, at 1 s and 2 s a page.
    assertThat(rehearsal.done()).containsExactly("http://a.example/", "http://a.example/1");
    assertThat(rehearsal.time.instant()).isBefore(START.plusSeconds(3));
    assertThat(rehearsal.memory.reports().census(1).urls()).isEqualTo(4);
  }

  @Test
  void a_crawl_delay_that_sets_the_pace_is_told_once() {
    rehearsal
        .web
        .site("http://a.example")
        .page("/robots.txt", "delay 7")
        .page("/", "/1", "/2")
        .page("/1")
        .page("/2");
    rehearsal.seed("http://a.example/");
    rehearsal.time.run(rehearsal.crawl()::run);
    assertThat(rehearsal.changes)
        .containsExactly(
            new Change.Throttle(
                Duration.ofSeconds(1), Duration.ofSeconds(7), Pace.Rule.CRAWL_DELAY, 0));
  }

  @Test
  void a_time_that_is_given_while_the_crawl_waits_counts_at_once() {
    rehearsal
        .web
        .site("http://a.example")
        .answer("/", new RateLimited(429, Optional.of(Duration.ofMinutes(5))));
    rehearsal.seed("http://a.example/");
    Crawl crawl = rehearsal.crawl();
    Crawl.End end =
        rehearsal.time.run(
            () -> {
              rehearsal.at(START.plusSeconds(61), () -> crawl.endAt(START.plusSeconds(61)));
              return crawl.run();
            });
    assertThat(end).isEqualTo(new Crawl.End.OutOfTime());
    assertThat(rehearsal.time.instant()).isEqualTo(START.plusSeconds(61));
  }

  @Test
  void every_request_that_came_to_something_is_told_once_with_its_kind() {
    List<String> told = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void claimed(Claim claim) {
            claims.add(claim);
          }

          @Override
          public void answered(DomainName domain, Attempt attempt, Fetched fetched) {
            told.add(
                attempt.kind() + " " + attempt.url().target() + " " + fetched.outcome().category());
          }
        };
    rehearsal.web.site("http://a.example").page("/", "/missing");
    rehearsal.seed("http://a.example/");
    rehearsal.run();
    assertThat(told)
        .containsExactly(
            Kind.ROBOTS + " /robots.txt " + Category.CLIENT_ERROR,
            Kind.PAGE + " / " + Category.SUCCESS,
            Kind.PAGE + " /missing " + Category.CLIENT_ERROR);
    assertThat(claims).singleElement().extracting(Claim::takenOver).isEqualTo(false);
  }

  @Test
  void who_looks_in_sees_what_is_held_and_why_nothing_is_asked() {
    rehearsal
        .web
        .site("http://a.example")
        .answer("/", new RateLimited(429, Optional.of(Duration.ofMinutes(5))));
    rehearsal.seed("http://a.example/");
    Crawl crawl = rehearsal.crawl();
    assertThat(crawl.snapshot()).isEqualTo(CrawlSnapshot.NOTHING);
    List<CrawlSnapshot> seen = new ArrayList<>();
    List<Census> counted = new ArrayList<>();
    rehearsal.time.run(
        () -> {
          rehearsal.at(
              START.plusSeconds(60),
              () -> {
                seen.add(crawl.snapshot());
                counted.add(rehearsal.memory.reports().census(1));
                crawl.stop();
              });
          return crawl.run();
        });
    CrawlSnapshot snapshot = seen.getFirst();
    assertThat(snapshot.inFlight()).isZero();
    assertThat(snapshot.paced()).isEqualTo(1);
    CrawlSnapshot.AtWork domain = snapshot.domains().getFirst();
    assertThat(domain.domain()).hasToString("a.example");
    assertThat(domain.pace()).isEqualTo(new Pace(Duration.ofSeconds(2), Pace.Rule.LEARNED));
    assertThat(domain.waiting())
        .contains(
            new CrawlSnapshot.Wait(
                START.plusMillis(301_120), "the site said how long to stay away", true));
    assertThat(counted.getFirst().urls()).isEqualTo(1);
    assertThat(counted.getFirst().domains(DomainStatus.ACTIVE)).isEqualTo(1);
    assertThat(crawl.snapshot()).isEqualTo(CrawlSnapshot.NOTHING);
  }
}
