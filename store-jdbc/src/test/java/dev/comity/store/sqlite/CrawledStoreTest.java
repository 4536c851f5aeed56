package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.Operator;
import dev.comity.store.operate.Pruning;
import dev.comity.store.support.Planted;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real crawl leaves behind, looked at by those who look at it afterwards. */
class CrawledStoreTest {
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  private static final CrawlUrl ABLE = CrawlUrl.of("http://able.example/");
  private static final CrawlUrl BAKER = CrawlUrl.of("http://baker.example/");

  @TempDir private Path home;
  private final VirtualTimeline time = new VirtualTimeline(7);
  private final PretendWeb web = new PretendWeb(time);

  /** A site that refuses one request in five, and one that fails until it is closed. */
  private void sites() {
    web.site("http://able.example")
        .page("/", "/a", "/b", "/c", "http://baker.example/x")
        .page("/a", "/b", "/d", "http://other.example/")
        .page("/b")
        .answer(
            "/c",
            now ->
                now.isBefore(VirtualTimeline.START.plusSeconds(30))
                    ? new RateLimited(429, Optional.of(Duration.ofSeconds(5)))
                    : new ServerError(500));
    web.site("http://baker.example").page("/robots.txt").otherwise(_ -> new ServerError(502));
  }

  private Planted crawl(CrawlListener listener) {
    DataDirectory directory = new DataDirectory(home);
    Scope anywhere = Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY);
    CrawlPlan plan =
        CrawlPlan.of(
            POLICY, anywhere, new CrawlLimits(100, 100, 16, 100, 0, Duration.ofSeconds(5)));
    try (SqliteStore store =
        SqliteStore.open(directory, StoreSettings.of(POLICY, Grouping.BY_HOST, time))) {
      Crawl.End end =
          time.run(
              () -> {
                store.begin(
                    new RunTerms(List.of(ABLE, BAKER), new TreeMap<>(), 100, 100), time.instant());
                store.add(
                    List.of(
                        QueuedUrl.seed(ABLE, Optional.empty()),
                        QueuedUrl.seed(BAKER, Optional.empty())),
                    time.instant());
                return new Crawl(
                        plan,
                        new CrawlParts(store, web, web, web, Optional.of(web), listener, time))
                    .run();
              });
      assertThat(end).isNotInstanceOf(Crawl.End.Stopped.class);
      store.end(RunEnding.PARKED, time.instant());
    }
    return new Planted(directory);
  }

  @Test
  void the_doctor_finds_nothing_after_a_crawl() {
    sites();
    Planted store = crawl(new CrawlListener() {});
    assertThat(store.findings()).isEmpty();
    assertThat(store.number("SELECT count(*) FROM crawl_log")).isGreaterThan(10);
    assertThat(store.number("SELECT count(*) FROM domains WHERE refused_delay_ms IS NOT NULL"))
        .as("the check of delays had something to look at")
        .isPositive();
  }

  @Test
  void sitemaps_are_in_the_log_and_not_among_the_pages() {
    sites();
    web.site("http://able.example")
        .page("/robots.txt", "sitemap http://able.example/map", "sitemap http://able.example/none")
        .page("/map", "page http://able.example/listed", "sitemap http://able.example/map")
        .page("/listed");
    Planted store = crawl(new CrawlListener() {});
    assertThat(store.findings()).isEmpty();
    assertThat(store.number("SELECT count(*) FROM crawl_log WHERE kind = 'sitemap'")).isEqualTo(2);
    assertThat(store.number("SELECT sum(is_page) FROM crawl_log WHERE kind = 'sitemap'")).isZero();
    assertThat(store.number("SELECT sum(is_error) FROM crawl_log WHERE kind = 'sitemap'")).isZero();
    assertThat(
            store.number(
                "SELECT count(*) FROM pages p JOIN domain_frontier f ON f.id = p.url_id"
                    + " WHERE f.kind = 1"))
        .isZero();
    assertThat(
            store.number(
                "SELECT count(*) FROM pages p JOIN domain_frontier f ON f.id = p.url_id"
                    + " JOIN domain_frontier r ON r.id = f.referrer_id"
                    + " WHERE f.target = '/listed' AND r.target = '/map' AND f.depth = 1"))
        .isEqualTo(1);
  }

  @Test
  void nor_after_a_reset_beside_it_and_a_crawl_of_what_was_queued_again() {
    sites();
    Planted store = crawl(new CrawlListener() {});
    Operator operator = new Operator(store.directory(), "me");
    Instant now = time.instant();
    assertThat(operator.reset("able.example", true, Optional.empty(), now).orElseThrow().requeued())
        .isGreaterThan(3);
    assertThat(store.findings()).isEmpty();
    long before = store.number("SELECT requests FROM domains WHERE domain = 'able.example'");
    crawl(new CrawlListener() {});
    assertThat(store.findings()).isEmpty();
    assertThat(store.number("SELECT requests FROM domains WHERE domain = 'able.example'"))
        .isGreaterThan(before + 3);
  }

  @Test
  void a_holder_whose_domain_is_reset_under_it_leaves_the_store_sound() {
    sites();
    Operator operator = new Operator(new DataDirectory(home), "me");
    boolean[] done = {false};
    Planted store =
        crawl(
            new CrawlListener() {
              @Override
              public void started(DomainName domain, dev.comity.core.outcome.Attempt attempt) {
                if (!done[0] && attempt.url().target().equals("/a")) {
                  done[0] = true;
                  operator.reset("able.example", false, Optional.empty(), time.instant());
                }
              }
            });
    assertThat(done[0]).isTrue();
    assertThat(store.findings()).isEmpty();
    assertThat(store.number("SELECT count(*) FROM transitions WHERE door = 'reset'")).isEqualTo(1);
    assertThat(
            store.number(
                "SELECT max(token) FROM transitions t JOIN domains d ON d.id = t.domain_id"
                    + " WHERE d.domain = 'able.example' AND door = 'claim'"))
        .as("it was claimed anew")
        .isGreaterThan(1);
  }

  @Test
  void nor_after_the_log_was_pruned_and_a_crawl_went_on() {
    sites();
    Planted store = crawl(new CrawlListener() {});
    try (Pruning pruning = new Pruning(store.directory(), time.instant(), false)) {
      assertThat(pruning.log()).isPositive();
      pruning.transitions();
    }
    assertThat(store.findings()).isEmpty();
    new Operator(store.directory(), "me")
        .reset("able.example", true, Optional.empty(), time.instant());
    crawl(new CrawlListener() {});
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void nor_after_the_clock_was_set_back_and_everything_was_asked_again() {
    sites();
    Planted store = crawl(new CrawlListener() {});
    Instant last = time.instant();
    // Another process, whose clock begins where the first one's did.
    CrawledStoreTest later = new CrawledStoreTest();
    later.home = home;
    later.sites();
    assertThat(later.time.instant()).isBefore(last);
    new Operator(store.directory(), "me")
        .reset("able.example", true, Optional.empty(), later.time.instant());
    long before = store.number("SELECT count(*) FROM crawl_log");
    later.crawl(new CrawlListener() {});
    assertThat(store.number("SELECT count(*) FROM crawl_log")).isGreaterThan(before + 3);
    assertThat(store.findings()).isEmpty();
  }
}
