package dev.comity.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlLimits;
import dev.comity.core.engine.CrawlParts;
import dev.comity.core.engine.CrawlPlan;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.RunEnding;
import dev.comity.core.port.RunTerms;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that cannot be read cost the domain they belong to, and no other. */
class DamagedDomainTest {
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  private static final CrawlUrl ABLE = CrawlUrl.of("http://able.example/");
  private static final CrawlUrl BAKER = CrawlUrl.of("http://baker.example/");

  @TempDir private Path home;
  private final VirtualTimeline time = new VirtualTimeline(7);
  private final PretendWeb web = new PretendWeb(time);

  @BeforeEach
  void sites() {
    web.site("http://able.example").page("/", "/a", "/b").page("/a").page("/b");
    web.site("http://baker.example").page("/", "/c", "/d").page("/c").page("/d");
  }

  private Planted store() {
    return new Planted(new DataDirectory(home));
  }

  private SqliteStore open() {
    return SqliteStore.open(
        new DataDirectory(home), StoreSettings.of(POLICY, Grouping.BY_HOST, time));
  }

  private void plant() {
    try (SqliteStore store = open()) {
      time.run(
          () ->
              store.add(
                  List.of(
                      QueuedUrl.seed(ABLE, Optional.empty()),
                      QueuedUrl.seed(BAKER, Optional.empty())),
                  time.instant()));
    }
  }

  private Crawl.End crawl(CrawlListener listener) {
    CrawlPlan plan =
        CrawlPlan.of(
            POLICY,
            Scope.ofSeeds(List.of(ABLE, BAKER), Grouping.BY_HOST),
            new CrawlLimits(100, 100, 16, 100, Duration.ofMinutes(10), Duration.ofSeconds(5)));
    try (SqliteStore store = open()) {
      return time.run(
          () -> {
            store.begin(
                new RunTerms(List.of(ABLE, BAKER), new TreeMap<>(), 100, 100), time.instant());
            Crawl.End end =
                new Crawl(
                        plan,
                        new CrawlParts(store, web, web, web, Optional.of(web), listener, time))
                    .run();
            store.end(RunEnding.PARKED, time.instant());
            return end;
          });
    }
  }

  private static final CrawlListener NOBODY = new CrawlListener() {};

  private long pages(String domain) {
    return store().number("SELECT pages_crawled FROM domains WHERE domain = '" + domain + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE domains SET policy_state = '{' WHERE domain = 'baker.example'",
        "UPDATE domains SET policy_state = '{\"v\":1,\"learning\":7}'"
            + " WHERE domain = 'baker.example'",
        "UPDATE domains SET policy_state = '{\"v\":1,\"standing\":{\"status\":\"blocked\","
            + "\"reason\":\"forbidden\"}}' WHERE domain = 'baker.example'",
        "UPDATE domain_frontier SET target = 'no path'"
            + " WHERE domain_id = (SELECT id FROM domains WHERE domain = 'baker.example')",
        "UPDATE domain_frontier SET target = x'ff00'"
            + " WHERE domain_id = (SELECT id FROM domains WHERE domain = 'baker.example')",
        "UPDATE authorities SET authority = 'ftp://baker.example'"
            + " WHERE authority = 'http://baker.example'",
        "UPDATE authorities SET authority = 'http://able.example'"
            + " WHERE authority = 'http://baker.example'",
        "DELETE FROM authorities WHERE authority = 'http://baker.example'",
        "INSERT INTO url_templates (domain_id, template, pages, barren, left_out,"
            + " suppressed_since, reason, found_on)"
            + " SELECT id, '/#', 1, 1, 0, 1, 'nonsense', 0 FROM domains"
            + " WHERE domain = 'baker.example'",
      })
  void a_damaged_row_sets_its_domain_aside_and_a_reset_mends_it(String damage) {
    plant();
    store().run(damage);
    crawl(NOBODY);
    assertThat(pages("able.example")).isEqualTo(3);
    assertThat(pages("baker.example")).isZero();
    assertThat(web.asked()).noneMatch(url -> url.startsWith(BAKER.toString()));
    assertThat(store().text("SELECT damage FROM domains WHERE domain = 'baker.example'"))
        .isNotEmpty();
    assertThat(store().text("SELECT j.status FROM jobs j JOIN domains d ON d.id = j.domain_id"
            + " WHERE domain = 'baker.example'"))
        .isEqualTo("failed");
    assertThat(store().findings())
        .isNotEmpty()
        .allMatch(finding -> finding.contains("baker.example"));
    crawl(NOBODY);
    assertThat(pages("baker.example")).as("nobody has mended it").isZero();
    new Operator(new DataDirectory(home), "me")
        .reset("baker.example", false, Optional.empty(), time.instant());
    plant();
    assertThat(store().findings()).isEmpty();
    crawl(NOBODY);
    assertThat(pages("baker.example")).isEqualTo(3);
    assertThat(store().findings()).isEmpty();
  }

  @Test
  void one_that_is_damaged_while_it_is_crawled_is_set_aside_and_the_others_go_on() {
    plant();
    boolean[] done = {false};
    crawl(
        new CrawlListener() {
          @Override
          public void started(DomainName domain, Attempt attempt) {
            if (!done[0] && attempt.url().equals(BAKER)) {
              done[0] = true;
              store()
                  .run(
                      "UPDATE authorities SET authority = 'ftp://baker.example'"
                          + " WHERE authority = 'http://baker.example'");
            }
          }
        });
    assertThat(done[0]).isTrue();
    assertThat(pages("able.example")).isEqualTo(3);
    assertThat(store().text("SELECT damage FROM domains WHERE domain = 'baker.example'"))
        .contains("ftp://baker.example");
    assertThat(store().number("SELECT count(*) FROM domains WHERE claimed_by IS NOT NULL"))
        .isZero();
  }
}
