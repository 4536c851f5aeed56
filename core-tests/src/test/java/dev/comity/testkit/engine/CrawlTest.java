package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrawlTest {
  private static final Instant START = VirtualTimeline.START;
  private static final Scope ANYWHERE =
      Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY);
  private static final FetchOutcome REFUSED = new FetchOutcome.ConnectionFailed("refused");

  private final VirtualTimeline time = new VirtualTimeline(42);
  private final PretendWeb web = new PretendWeb(time);
  private final MemoryStore store = new MemoryStore(CrawlUrl::domain, time);
  private final List<Settlement> settled = new ArrayList<>();
  private final List<Ending> endings = new ArrayList<>();
  private final List<Boolean> outages = new ArrayList<>();
  private long maxPages = 1000;
  private long maxPagesPerDomain = 1000;

  private final CrawlListener log =
      new CrawlListener() {
        @Override
        public void settled(DomainName domain, Settlement settlement) {
          settled.add(settlement);
        }

        @Override
        public void outage(boolean ours) {
          outages.add(ours);
        }

        @Override
        public void ended(DomainName domain, Ending ending) {
          endings.add(ending);
        }
      };

  private static DomainPolicy policy(Duration minimum) {
    return new DomainPolicy(
        PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(minimum)));
  }

  private Crawl crawlOf(Fetcher fetcher) {
    CrawlPlan plan =
        CrawlPlan.of(
            policy(Duration.ofSeconds(1)),
            ANYWHERE.toDepth(19),
            new CrawlLimits(maxPages, maxPagesPerDomain, 256, 1000, 0, Duration.ofSeconds(10)));
    return new Crawl(plan, new CrawlParts(store, fetcher, web, web, log, time));
  }

  private Crawl.End crawl(String... seeds) {
    for (String seed : seeds) {
      store.add(List.of(QueuedUrl.seed(CrawlUrl.of(seed), Optional.empty())), Instant.EPOCH);
    }
    return time.run(() -> crawlOf(web).run());
  }

  private List<Duration> startsAfterBeginning() {
    return web.visits().stream().map(visit -> Duration.between(START, visit.startedAt())).toList();
  }

  @Test
  void many_sites_are_not_asked_in_step() {
    String[] seeds = new String[60];
    for (int site = 0; site < seeds.length; site++) {
      seeds[site] = "http://s" + site + ".example/";
      web.site("http://s" + site + ".example").page("/", "/1").page("/1");
    }
    assertThat(crawl(seeds)).isEqualTo(new Crawl.End.Finished());

    List<Duration> first =
        web.visits().stream()
            .filter(visit -> visit.url().toString().endsWith("/robots.txt"))
            .map(visit -> Duration.between(START, visit.startedAt()).truncatedTo(ChronoUnit.MILLIS))
            .toList();
    assertThat(first).hasSize(60).allMatch(start -> start.compareTo(Duration.ofMillis(1100)) < 0);
    // The first ten at once, the others each at a time of its own.
    assertThat(first.stream().distinct()).hasSize(51);
  }

  @Test
  void a_site_is_crawled_page_by_page_a_second_between_starts_robots_included() {
    web.site("http://a.example").page("/", "/1", "/2").page("/1", "/2", "/").page("/2", "/3");
    assertThat(crawl("http://a.example/")).isEqualTo(new Crawl.End.Finished());
    assertThat(web.asked())
        .containsExactly(
            "http://a.example/robots.txt",
            "http://a.example/",
            "http://a.example/1",
            "http://a.example/2",
            "http://a.example/3");
    assertThat(gaps(web.visits())).allMatch(gap -> gap.compareTo(Duration.ofSeconds(1)) >= 0);
    assertThat(startsAfterBeginning())
        .containsExactly(
            Duration.ofMillis(20),
            Duration.ofMillis(1040),
            Duration.ofMillis(2060),
            Duration.ofMillis(3080),
            Duration.ofMillis(4100));
    assertThat(endings).containsExactly(new Ending.Exhausted());
    // The run is over with the last answer: where nothing is left, no slot is waited for.
    assertThat(time.instant()).isEqualTo(START.plusMillis(4180));
  }

  @Test
  void a_settled_page_knows_where_it_was_found() {
    web.site("http://a.example").page("/", "/1").page("/1");
    crawl("http://a.example/");
    Settlement second = settled.get(1);
    assertThat(second.entry().url()).isEqualTo(CrawlUrl.of("http://a.example/1"));
    assertThat(second.entry().depth()).isEqualTo(1);
    assertThat(second.entry().referrer()).contains(CrawlUrl.of("http://a.example/"));
    assertThat(second.page().orElseThrow().title()).contains("Page /1");
    assertThat(second.attempt().orElseThrow().startedAt()).isEqualTo(START.plusMillis(2060));
    assertThat(second.fate()).isEqualTo(new Fate.Done(Category.SUCCESS));
  }

  @Test
  void a_crawl_delay_is_kept() {
    web.site("http://a.example").page("/robots.txt", "delay 7").page("/", "/1").page("/1");
    crawl("http://a.example/");
    // The delay is known once robots.txt is read, so it holds from the first page on.
    assertThat(gaps(web.visits())).allMatch(gap -> gap.compareTo(Duration.ofSeconds(7)) >= 0);
  }

  @Test
  void what_robots_denies_is_not_asked() {
    web.site("http://a.example")
        .page("/robots.txt", "deny /private")
        .page("/", "/private/x", "/1")
        .page("/1");
    crawl("http://a.example/");
    assertThat(web.asked())
        .doesNotContain("http://a.example/private/x")
        .contains("http://a.example/1");
    assertThat(settled).extracting(Settlement::fate).containsOnlyOnce(new Fate.Denied());
  }

  @Test
  void a_robots_txt_that_moved_within_the_domain_is_followed_and_speaks_for_the_first_authority() {
    web.site("http://a.example")
        .answer("/robots.txt", redirect("http://www.a.example/robots.txt"))
        .page("/", "/private/x");
    web.site("http://www.a.example").page("/robots.txt", "deny /private");
    crawl("http://a.example/");
    assertThat(web.asked())
        .containsExactly(
            "http://a.example/robots.txt", "http://www.a.example/robots.txt", "http://a.example/");
  }

  @Test
  void a_robots_txt_that_moved_to_another_path_is_followed_five_times_and_no_more() {
    PretendWeb.Site site = web.site("http://a.example").page("/");
    site.answer("/robots.txt", redirect("http://a.example/r1"));
    for (int hop = 1; hop < 10; hop++) {
      site.answer("/r" + hop, redirect("http://a.example/r" + (hop + 1)));
    }
    crawl("http://a.example/");
    assertThat(web.asked())
        .containsExactly(
            "http://a.example/robots.txt",
            "http://a.example/r1",
            "http://a.example/r2",
            "http://a.example/r3",
            "http://a.example/r4",
            "http://a.example/r5",
            "http://a.example/");
  }

  @Test
  void no_page_is_asked_while_robots_txt_is_not_answered_and_five_failures_close_the_domain() {
    web.site("http://a.example").answer("/robots.txt", new FetchOutcome.ServerError(500)).page("/");
    crawl("http://a.example/");
    assertThat(web.asked()).containsOnly("http://a.example/robots.txt").hasSize(5);
    assertThat(gaps(web.visits()).stream().map(Duration::toSeconds))
        .containsExactly(3L, 5L, 9L, 17L);
    assertThat(endings).hasSize(1).first().isInstanceOf(Ending.Closed.class);
  }

  @Test
  void a_robots_txt_that_is_not_there_allows_everything() {
    web.site("http://a.example").answer("/robots.txt", new FetchOutcome.Forbidden(403)).page("/");
    crawl("http://a.example/");
    assertThat(web.asked()).containsExactly("http://a.example/robots.txt", "http://a.example/");
  }

  @Test
  void a_redirect_is_an_answer_whose_target_waits_its_turn() {
    web.site("http://a.example").answer("/", redirect("http://a.example/new")).page("/new");
    crawl("http://a.example/");
    assertThat(web.asked()).endsWith("http://a.example/", "http://a.example/new");
    assertThat(gaps(web.visits())).allMatch(gap -> gap.compareTo(Duration.ofSeconds(1)) >= 0);
    assertThat(settled.get(1).entry().hops()).isEqualTo(1);
    assertThat(settled.get(1).entry().depth()).isZero();
  }

  @Test
  void a_chain_of_redirects_ends_after_five_hops() {
    PretendWeb.Site site = web.site("http://a.example");
    for (int hop = 0; hop < 100; hop++) {
      site.answer("/" + hop, redirect("http://a.example/" + (hop + 1)));
    }
    crawl("http://a.example/0");
    assertThat(web.asked()).hasSize(7).endsWith("http://a.example/5");
  }

  @Test
  void no_more_pages_are_settled_than_the_budget_allows() {
    maxPages = 3;
    web.site("http://a.example")
        .otherwise(_ -> new FetchOutcome.ClientError(404))
        .page("/", "/1", "/2", "/3", "/4");
    assertThat(crawl("http://a.example/")).isEqualTo(new Crawl.End.OutOfBudget());
    assertThat(settled).hasSize(3);
    assertThat(endings).containsExactly(new Ending.RunOutOfBudget());
  }

  @Test
  void no_domain_settles_more_pages_than_its_own_budget_and_the_others_go_on() {
    maxPagesPerDomain = 2;
    web.site("http://a.example")
        .page("/", "/1", "/2", "/3", "/4")
        .otherwise(_ -> new FetchOutcome.ClientError(404));
    web.site("http://b.example").page("/", "/1").page("/1");
    assertThat(crawl("http://a.example/", "http://b.example/")).isEqualTo(new Crawl.End.Finished());
    assertThat(settled).hasSize(4);
    assertThat(endings)
        .containsExactlyInAnyOrder(new Ending.DomainOutOfBudget(), new Ending.Exhausted());
  }

  @Test
  void what_ends_without_an_answer_gives_its_page_back_and_is_tried_again_three_times() {
    maxPages = 2;
    web.site("http://a.example")
        .answer("/dead", new FetchOutcome.TimedOut("no answer"))
        .page("/")
        .page("/alive");
    crawl("http://a.example/dead", "http://a.example/", "http://a.example/alive");
    assertThat(settled).filteredOn(one -> one.fate() instanceof Fate.Done).hasSize(2);

    maxPages = 1000;
    assertThat(crawl("http://a.example/dead")).isEqualTo(new Crawl.End.Finished());
    assertThat(settled)
        .last()
        .extracting(Settlement::fate)
        .isEqualTo(new Fate.Failed(Category.TIMEOUT));
    assertThat(web.asked()).filteredOn("http://a.example/dead"::equals).hasSize(4);
  }

  @Test
  void a_slow_domain_costs_the_others_nothing() {
    web.site("http://slow.example")
        .latency(Duration.ofSeconds(20), Duration.ofSeconds(30))
        .page("/");
    web.site("http://a.example").page("/", "/1", "/2").page("/1").page("/2");
    crawl("http://slow.example/", "http://a.example/");
    List<Visit> quick =
        web.visits().stream().filter(visit -> visit.url().host().equals("a.example")).toList();
    assertThat(quick).hasSize(4);
    assertThat(quick.getLast().startedAt()).isEqualTo(START.plusMillis(3080));
  }

  @Test
  void links_to_another_domain_are_crawled_there_with_a_robots_txt_of_its_own() {
    web.site("http://a.example").page("/", "http://b.example/x");
    web.site("http://b.example").page("/x");
    crawl("http://a.example/");
    assertThat(web.asked())
        .containsSubsequence(
            "http://a.example/", "http://b.example/robots.txt", "http://b.example/x");
  }

  @Test
  void a_bare_host_is_asked_over_http_once_https_cannot_be_connected() {
    web.site("https://a.example").unconnectable(REFUSED);
    web.site("http://a.example").page("/");
    store.add(
        List.of(
            QueuedUrl.seed(
                CrawlUrl.of("https://a.example/"), Optional.of(CrawlUrl.of("http://a.example/")))),
        Instant.EPOCH);
    time.run(() -> crawlOf(web).run());
    assertThat(web.asked()).containsExactly("http://a.example/robots.txt", "http://a.example/");
    assertThat(settled)
        .extracting(Settlement::fate)
        .containsExactly(new Fate.Moved(), new Fate.Done(Category.SUCCESS));
  }

  @Test
  void a_page_nobody_can_read_costs_that_page_only() {
    web.site("http://a.example").page("/", "/1").page("/1");
    CrawlPlan plan =
        CrawlPlan.of(
            policy(Duration.ZERO), ANYWHERE, new CrawlLimits(10, 10, 1, 1, 0, Duration.ZERO));
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.EPOCH);
    time.run(
        () ->
            new Crawl(
                    plan,
                    new CrawlParts(
                        store,
                        web,
                        web,
                        (_, _) -> {
                          throw new StackOverflowError();
                        },
                        log,
                        time))
                .run());
    assertThat(settled)
        .extracting(Settlement::fate)
        .containsExactly(new Fate.Failed(Category.UNDECODABLE));
  }

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

  private static FetchOutcome redirect(String target) {
    return new FetchOutcome.Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  private static List<Duration> gaps(List<Visit> visits) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < visits.size(); i++) {
      gaps.add(Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt()));
    }
    return gaps;
  }
}
