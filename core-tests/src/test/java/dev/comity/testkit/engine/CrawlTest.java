package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.SitesCrawled;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is crawled, in which order, at which pace and within which budget. */
class CrawlTest extends SitesCrawled {
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
}
