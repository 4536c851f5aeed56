package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a crawl makes of a Crawl-delay, however it is written. */
class CrawlDelayInCrawlTest {
  private final VirtualTimeline time = new VirtualTimeline(9309);
  private final PretendWeb web = new PretendWeb(time);
  private final MemoryStore store = new MemoryStore(CrawlUrl::domain, time);

  @ParameterizedTest
  @CsvSource({
    "0, 1000",
    "0.5, 1000",
    "-1, 1000",
    "NaN, 1000",
    "1s, 1000",
    "'', 1000",
    "1.0001, 1001",
    "2.5, 2500",
    "599, 599000"
  })
  void requests_are_never_closer_than_asked_nor_than_the_minimum(String written, long millis) {
    assertThat(crawl(written)).isEqualTo(new Crawl.End.Finished());
    List<Visit> visits = web.visits();
    assertThat(visits).hasSize(4);
    for (int page = 1; page < visits.size(); page++) {
      assertThat(Duration.between(visits.get(page - 1).startedAt(), visits.get(page).startedAt()))
          .isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 100));
    }
  }

  @Test
  void an_hour_is_kept_by_leaving_the_site_alone_that_long() {
    assertThat(crawl("3600")).isInstanceOf(Crawl.End.Parked.class);
    assertThat(web.visits()).hasSize(1);
    Instant first = web.visits().getFirst().startedAt();
    assertThat(((Crawl.End.Parked) crawl("3600")).until()).isEqualTo(first.plusSeconds(3600));
  }

  @Test
  void thirty_years_are_kept_by_never_coming_back() {
    assertThat(crawl("1e9")).isEqualTo(new Crawl.End.Finished());
    assertThat(web.visits()).hasSize(1);
    assertThat(store.state(CrawlUrl.of("http://a.example/").domain()).orElseThrow().standing())
        .matches(standing -> standing.reason().equals(Optional.of(CloseReason.ROBOTS_DENIED)))
        .matches(standing -> !standing.mayBeAsked());
  }

  @Test
  void pages_are_asked_for_at_the_hours_that_robots_txt_names() {
    Instant until = VirtualTimeline.START.plus(Duration.ofHours(2));
    Crawl.End early = crawlOf("Visit-time: 0200-0300");
    assertThat(early).isInstanceOf(Crawl.End.Parked.class);
    assertThat(((Crawl.End.Parked) early).until()).isEqualTo(until);
    assertThat(web.visits()).hasSize(1);

    time.run(
        () -> {
          time.await(new Signal(), until);
          return true;
        });
    assertThat(crawlOf("Visit-time: 0200-0300")).isEqualTo(new Crawl.End.Finished());
    assertThat(web.visits()).hasSize(4);
    assertThat(web.visits().get(1).startedAt()).isBetween(until, until.plusSeconds(1));
  }

  private Crawl.End crawl(String delay) {
    return crawlOf("Crawl-delay: " + delay);
  }

  private Crawl.End crawlOf(String line) {
    web.site("http://a.example")
        .page("/robots.txt", "User-agent: *", line)
        .page("/", "/1", "/2")
        .page("/1")
        .page("/2");
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.EPOCH);
    CrawlPlan plan =
        CrawlPlan.of(
            new DomainPolicy(PolicySettings.DEFAULTS),
            Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
            new CrawlLimits(100, 100, 16, 16, 0, Duration.ofSeconds(5)));
    CrawlParts parts =
        new CrawlParts(store, web, new RobotsTxt("Comity"), web, new CrawlListener() {}, time);
    return time.run(() -> new Crawl(plan, parts).run());
  }
}
