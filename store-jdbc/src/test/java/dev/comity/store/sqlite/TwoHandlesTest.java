package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Finding;
import dev.comity.store.operate.DirectoryOperations;
import dev.comity.store.report.PageFeed;
import dev.comity.store.report.PageRecord;
import dev.comity.store.support.Stores;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two crawls of one process on one data directory, each with a handle of its own. */
class TwoHandlesTest {
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  @TempDir private Path home;
  private final VirtualTimeline time = new VirtualTimeline(7);
  private final PretendWeb web = new PretendWeb(time);
  private final List<CrawlUrl> seeds = new ArrayList<>();
  private final List<String> settled = new ArrayList<>();
  private final List<Crawl.End> ends = new ArrayList<>();
  private long maxPages = 10_000;
  private Scope.Reach reach = Scope.Reach.HOST;
  private DataDirectory directory;

  @BeforeEach
  void name() {
    directory = new DataDirectory(home);
  }

  private void site(String host, int pages) {
    PretendWeb.Site site = web.site("http://" + host);
    String[] links = new String[pages];
    for (int page = 0; page < pages; page++) {
      links[page] = "/" + page;
      site.page("/" + page);
    }
    site.page("/", links);
    seeds.add(CrawlUrl.of("http://" + host + "/"));
  }

  private SqliteStore open() {
    return SqliteStore.open(directory, StoreSettings.of(POLICY, Grouping.BY_HOST, time));
  }

  private void crawl(CrawlStore store) {
    CrawlPlan plan =
        CrawlPlan.of(
            POLICY,
            Scope.ofSeeds(seeds, Grouping.BY_HOST).reaching(reach),
            new CrawlLimits(maxPages, 1000, 256, 2, 0, Duration.ofSeconds(2)));
    var run = store.begin(plan.terms(seeds), time.instant());
    store.add(
        seeds.stream().map(url -> QueuedUrl.seed(url, Optional.empty())).toList(), time.instant());
    CrawlListener listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            settled.add(settlement.entry().url().toString());
          }
        };
    Crawl crawl = new Crawl(plan, new CrawlParts(store, web, web, web, listener, time), run);
    time.start(
        "crawl",
        () -> {
          try {
            ends.add(crawl.run());
          } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
          }
        });
  }

  /** Both from the start to the end, and what happens at second 10. */
  private void crawlTogether(Runnable happening) {
    try (SqliteStore one = open();
        SqliteStore other = one.another("other")) {
      time.run(
          () -> {
            crawl(one);
            crawl(other);
            time.await(new Signal(), time.instant().plusSeconds(10));
            happening.run();
            while (ends.size() < 2) {
              time.await(new Signal(), time.instant().plusSeconds(1));
            }
            return true;
          });
    }
  }

  private List<Finding> wrong() {
    List<Finding> wrong = new ArrayList<>();
    new Doctor(directory).examine(check -> wrong.addAll(check.findings()));
    return wrong;
  }

  @Test
  void every_page_is_settled_once_and_the_counters_add_up() {
    for (int host = 0; host < 6; host++) {
      site("s" + host + ".example", 20);
    }
    crawlTogether(() -> {});
    assertThat(ends).containsOnly(new Crawl.End.Finished());
    assertThat(settled).hasSize(6 * 21).doesNotHaveDuplicates();
    assertThat(wrong()).isEmpty();
    assertThat(Stores.number(home, "SELECT pages FROM crawl_runs")).isEqualTo(6 * 21);
    assertThat(Stores.number(home, "SELECT count(*) FROM crawl_runs WHERE status = 'finished'"))
        .isEqualTo(1);
    assertThat(
            Stores.number(
                home, "SELECT count(DISTINCT worker) FROM transitions" + " WHERE door = 'claim'"))
        .isEqualTo(2);
  }

  @Test
  void the_pages_of_one_budget_are_settled_by_both_together() {
    maxPages = 25;
    for (int host = 0; host < 4; host++) {
      site("s" + host + ".example", 20);
    }
    crawlTogether(() -> {});
    assertThat(ends).containsOnly(new Crawl.End.OutOfBudget());
    assertThat(settled).hasSize(25).doesNotHaveDuplicates();
    assertThat(Stores.number(home, "SELECT pages FROM crawl_runs")).isEqualTo(25);
    assertThat(wrong()).isEmpty();
  }

  @Test
  void a_domain_that_is_paused_beside_them_is_asked_once_more_at_most() {
    site("a.example", 40);
    site("b.example", 40);
    Instant[] paused = {Instant.MAX};
    crawlTogether(
        () -> {
          paused[0] = time.instant();
          new DirectoryOperations(directory, "a test", time)
              .setTerms(new DomainName("a.example"), terms -> terms.withPaused(true));
        });
    assertThat(web.visits())
        .filteredOn(visit -> visit.url().host().equals("a.example"))
        .filteredOn(visit -> visit.startedAt().isAfter(paused[0]))
        .hasSizeLessThanOrEqualTo(1);
    assertThat(settled).filteredOn(url -> url.contains("b.example")).hasSize(41);
    assertThat(Stores.number(home, "SELECT count(*) FROM audit WHERE action = 'domain-set'"))
        .isEqualTo(1);
    assertThat(wrong()).isEmpty();
  }

  /**
   * Every page of four sites links to the same pages of three sites that are not known yet, over
   * http and https. Two processes would number their rows and authorities alike.
   */
  @Test
  void urls_and_domains_that_both_find_are_one_row_each_and_are_counted_once() {
    reach = Scope.Reach.ANY;
    List<String> shared = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      for (String scheme : List.of("http", "https")) {
        String origin = scheme + "://t" + host + ".example";
        for (int page = 0; page < 4; page++) {
          web.site(origin).page("/" + page);
          shared.add(origin + "/" + page);
        }
      }
    }
    for (int host = 0; host < 4; host++) {
      site("s" + host + ".example", 6);
      for (int page = 0; page < 6; page++) {
        web.site("http://s" + host + ".example").page("/" + page, shared.toArray(String[]::new));
      }
    }
    crawlTogether(() -> {});
    assertThat(settled).hasSize(4 * 7 + shared.size()).doesNotHaveDuplicates();
    assertThat(settled).containsAll(shared);
    assertThat(Stores.number(home, "SELECT count(*) FROM domain_frontier"))
        .isEqualTo(4 * 7 + shared.size());
    assertThat(Stores.number(home, "SELECT sum(pages_discovered) FROM domains"))
        .isEqualTo(4 * 7 + shared.size());
    assertThat(Stores.number(home, "SELECT count(*) FROM arrivals")).isZero();
    assertThat(wrong()).isEmpty();
  }

  /** The first site is crawled to its end and given back long before the link to it is found. */
  @Test
  void a_link_that_one_finds_wakes_a_domain_that_was_given_back_as_exhausted() {
    reach = Scope.Reach.ANY;
    site("short.example", 1);
    site("long.example", 20);
    web.site("http://short.example").page("/late");
    web.site("http://long.example").page("/19", "http://short.example/late");
    crawlTogether(
        () ->
            assertThat(
                    Stores.number(home, "SELECT count(*) FROM domains WHERE status = 'exhausted'"))
                .isEqualTo(1));
    assertThat(settled).hasSize(2 + 21 + 1).contains("http://short.example/late");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void the_feed_of_pages_misses_none_of_either_while_both_write() {
    for (int host = 0; host < 4; host++) {
      site("s" + host + ".example", 15);
    }
    List<String> fed = new ArrayList<>();
    long[] last = {0};
    try (SqliteStore one = open();
        SqliteStore other = one.another("other");
        PageFeed feed = PageFeed.open(directory, 1)) {
      time.run(
          () -> {
            crawl(one);
            crawl(other);
            while (ends.size() < 2) {
              time.await(new Signal(), time.instant().plusMillis(300));
              for (PageRecord page : feed.after(last[0], 100)) {
                fed.add(page.url());
                last[0] = page.id();
              }
            }
            return true;
          });
    }
    assertThat(fed).hasSize(4 * 16).doesNotHaveDuplicates();
  }

  @Test
  void a_worker_that_joins_takes_no_claim_from_the_others() {
    site("a.example", 5);
    try (SqliteStore one = open()) {
      one.begin(Stores.TERMS, time.instant());
      one.add(
          seeds.stream().map(url -> QueuedUrl.seed(url, Optional.empty())).toList(),
          time.instant());
      var kept = one.claim(1, time.instant()).getFirst();
      try (SqliteStore other = one.another("other")) {
        other.begin(Stores.TERMS, time.instant());
        assertThat(other.claim(1, time.instant())).isEmpty();
        assertThat(one.renew(List.of(kept), time.instant()).lost()).isEmpty();
      }
      assertThat(one.renew(List.of(kept), time.instant()).lost()).isEmpty();
    }
  }

  @Test
  void a_handle_that_is_closed_ends_its_own_claims_only() {
    site("a.example", 5);
    site("b.example", 5);
    try (SqliteStore one = open()) {
      one.begin(Stores.TERMS, time.instant());
      one.add(
          seeds.stream().map(url -> QueuedUrl.seed(url, Optional.empty())).toList(),
          time.instant());
      var kept = one.claim(1, time.instant()).getFirst();
      try (SqliteStore other = one.another("other")) {
        other.begin(Stores.TERMS, time.instant());
        assertThat(other.claim(1, time.instant())).hasSize(1);
      }
      assertThat(one.renew(List.of(kept), time.instant()).lost()).isEmpty();
      assertThat(one.claim(1, time.instant()).getFirst().takenOver()).isTrue();
    }
    assertThat(Stores.number(home, "SELECT count(*) FROM workers WHERE ended_at IS NULL")).isZero();
    // The directory is free again.
    open().close();
  }
}
