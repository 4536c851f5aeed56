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
import dev.comity.core.port.store.RunTerms;
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
import dev.comity.store.support.Stores;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
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
    var run = store.begin(new RunTerms(seeds, new TreeMap<>(), maxPages, 1000), time.instant());
    store.add(
        seeds.stream().map(url -> QueuedUrl.seed(url, Optional.empty())).toList(), time.instant());
    CrawlPlan plan =
        CrawlPlan.of(
            POLICY,
            Scope.ofSeeds(seeds, Grouping.BY_HOST),
            new CrawlLimits(maxPages, 1000, 256, 2, 0, Duration.ofSeconds(2)));
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
