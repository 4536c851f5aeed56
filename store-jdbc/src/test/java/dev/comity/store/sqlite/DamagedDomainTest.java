package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.Operator;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import dev.comity.store.support.Planted;
import dev.comity.store.support.ReadyTables;
import dev.comity.store.support.Stores;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that cannot be read cost the domain they belong to, and no other. A crawl that asks for such
 * a row again and again would never end in virtual time, so real time bounds each test.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
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
    return SqliteStore.open(ReadyTables.in(home), StoreSettings.of(POLICY, Grouping.BY_HOST, time));
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
            new CrawlLimits(100, 100, 16, 100, 0, Duration.ofSeconds(5)));
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
    assertThat(
            store()
                .text(
                    "SELECT j.status FROM jobs j JOIN domains d ON d.id = j.domain_id"
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
    // More than are read ahead, so that the damage is met later.
    String[] links = IntStream.range(0, 60).mapToObj(number -> "/" + number).toArray(String[]::new);
    PretendWeb.Site baker = web.site("http://baker.example").page("/", links);
    Stream.of(links).forEach(baker::page);
    boolean[] done = {false};
    Map<String, Ending> endings = new HashMap<>();
    crawl(
        new CrawlListener() {
          @Override
          public void started(DomainName domain, Attempt attempt) {
            if (!done[0] && attempt.url().target().equals("/0")) {
              done[0] = true;
              store().run("UPDATE domain_frontier SET target = 'x' || target WHERE target = '/59'");
            }
          }

          @Override
          public void ended(DomainName domain, Ending ending) {
            endings.put(domain.name(), ending);
          }
        });
    assertThat(done[0]).isTrue();
    assertThat(pages("able.example")).isEqualTo(3);
    assertThat(pages("baker.example")).isBetween(2L, 59L);
    assertThat(store().text("SELECT damage FROM domains WHERE domain = 'baker.example'"))
        .contains("http://baker.examplex/59");
    // To its holder it is not a claim that another worker has taken.
    assertThat(endings)
        .containsEntry("able.example", new Ending.Exhausted())
        .containsEntry(
            "baker.example",
            new Ending.SetAside(
                store().text("SELECT damage FROM domains WHERE domain = 'baker.example'")));
    assertThat(store().number("SELECT count(*) FROM domains WHERE claimed_by IS NOT NULL"))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE domain_frontier SET url_key = 5 WHERE id = 2",
        "INSERT INTO domain_frontier (domain_id, authority_no, target, url_key, place, depth,"
            + " discovered_at) SELECT domain_id, authority_no, target, url_key + 1, 0, 0, 0"
            + " FROM domain_frontier WHERE id = 2",
        "UPDATE domains SET requests = 5, urls_done = -3, pages_discovered = 99 WHERE id = 2",
        "UPDATE domains SET adaptive_delay_ms = 7, crawl_delay_ms = 8 WHERE id = 2",
      })
  void what_the_doctor_finds_and_a_crawl_can_live_with_is_mended_too(String damage) {
    plant();
    store().run(damage);
    assertThat(store().findings()).isNotEmpty();
    new Operator(new DataDirectory(home), "me")
        .reset("baker.example", false, Optional.empty(), time.instant());
    assertThat(store().findings()).isEmpty();
    crawl(NOBODY);
    assertThat(pages("baker.example")).isEqualTo(3);
    assertThat(store().findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"active", "exhausted", "blocked", "unreachable"})
  void a_status_written_by_hand_is_refused_with_the_command_to_use(String status) {
    plant();
    assertThatThrownBy(() -> store().run("UPDATE domains SET status = '" + status + "'"))
        .hasMessageContaining("comity domain-reset NAME")
        .hasMessageContaining("comity domain-block NAME");
    assertThat(store().number("SELECT count(*) FROM domains WHERE status = 'pending'"))
        .isEqualTo(2);
    assertThat(store().findings()).isEmpty();
  }

  @Test
  void urls_added_after_a_reset_took_out_the_newest_row_count_as_new() {
    try (SqliteStore store = open()) {
      store.add(Stores.seeds(ABLE.toString(), BAKER.toString()), time.instant());
      store()
          .run(
              "UPDATE domain_frontier SET target = 'broken' WHERE id = 2",
              "UPDATE domains SET reset_by_hand = 1 WHERE domain = 'baker.example'");
      store.claim(1, time.instant());
      assertThat(store().number("SELECT max(id) FROM domain_frontier")).isEqualTo(1);
      assertThat(
              store.add(
                  Stores.seeds("http://able.example/x", "http://able.example/y"), time.instant()))
          .isEqualTo(2);
    }
  }

  @Test
  void pending_written_by_hand_is_a_reset() {
    plant();
    crawl(NOBODY);
    assertThat(store().text("SELECT status FROM domains WHERE domain = 'baker.example'"))
        .isEqualTo("exhausted");
    store().run("UPDATE domains SET status = 'pending' WHERE domain = 'baker.example'");
    assertThat(store().findings()).as("before a crawl has carried it out").isEmpty();
    assertThat(store().text("SELECT action || ' ' || subject FROM audit"))
        .isEqualTo("domain-reset baker.example");
    crawl(NOBODY);
    assertThat(store().findings()).isEmpty();
    assertThat(store().number("SELECT requests FROM domains WHERE domain = 'baker.example'"))
        .as("its seed is asked again")
        .isEqualTo(
            store().number("SELECT requests FROM domains WHERE domain = 'able.example'") + 1);
    assertThat(store().text("SELECT status FROM domains WHERE domain = 'baker.example'"))
        .isEqualTo("exhausted");
  }

  @Test
  void a_closed_domain_is_opened_by_hand_with_nothing_held_against_it() {
    plant();
    new Operator(new DataDirectory(home), "me").block("baker.example", "no", time.instant());
    crawl(NOBODY);
    assertThat(pages("baker.example")).isZero();
    store().run("UPDATE domains SET status = 'pending' WHERE domain = 'baker.example'");
    try (StoreReader reader = StoreReader.open(new DataDirectory(home))) {
      DomainRecord baker = reader.domain("baker.example").orElseThrow();
      assertThat(baker.damage()).isEmpty();
      assertThat(baker.resetByHand()).isTrue();
      assertThat(baker.standing().reasonCode()).isEmpty();
    }
    crawl(NOBODY);
    assertThat(pages("baker.example")).isEqualTo(3);
    assertThat(store().findings()).isEmpty();
  }

  @Test
  void pending_written_by_hand_while_it_is_crawled_stops_nobody() {
    plant();
    boolean[] done = {false};
    crawl(
        new CrawlListener() {
          @Override
          public void started(DomainName domain, Attempt attempt) {
            if (!done[0] && attempt.url().target().equals("/c")) {
              done[0] = true;
              store().run("UPDATE domains SET status = 'pending' WHERE domain = 'baker.example'");
            }
          }
        });
    assertThat(done[0]).isTrue();
    assertThat(pages("able.example")).isEqualTo(3);
    assertThat(pages("baker.example")).as("its seed twice, which is one page").isEqualTo(3);
    assertThat(store().number("SELECT count(*) FROM domains WHERE status <> 'exhausted'")).isZero();
    assertThat(store().findings()).isEmpty();
  }

  @Test
  void a_name_that_cannot_be_read_costs_its_domain_alone() {
    plant();
    store().run("UPDATE domains SET domain = 'BAKER example' WHERE domain = 'baker.example'");
    crawl(NOBODY);
    assertThat(pages("able.example")).isEqualTo(3);
    assertThat(pages("BAKER example")).isZero();
    assertThat(store().findings()).anyMatch(finding -> finding.contains("BAKER example"));
  }

  @Test
  void what_a_site_asked_for_outlives_the_loss_of_its_state() {
    plant();
    store()
        .run(
            "UPDATE domains SET policy_state = '{', adaptive_delay_ms = 2500,"
                + " refused_delay_ms = 1500, crawl_delay_ms = 2000, not_before = 4000000000000"
                + " WHERE domain = 'baker.example'");
    new Operator(new DataDirectory(home), "me")
        .reset("baker.example", false, Optional.empty(), time.instant());
    try (SqliteStore store = open()) {
      var state = time.run(() -> store.state(BAKER.domain()).orElseThrow());
      assertThat(state.learning().learned()).isEqualTo(Duration.ofMillis(2500));
      assertThat(state.learning().refused()).contains(Duration.ofMillis(1500));
      assertThat(state.limits().crawlDelay()).isEqualTo(Duration.ofSeconds(2));
      assertThat(state.slots().restUntil().toEpochMilli()).isEqualTo(4_000_000_000_000L);
    }
  }
}
