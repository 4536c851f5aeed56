package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a crawl makes of the sitemaps that a robots.txt names. */
class SitemapCrawlTest {
  private static final String HOME = "http://a.example/";

  private final Rehearsal rehearsal = new Rehearsal();

  private Site site(String... robots) {
    return rehearsal
        .web
        .site("http://a.example")
        .page("/robots.txt", robots)
        .page("/")
        .otherwise(_ -> new FetchOutcome.ClientError(404));
  }

  private static String[] numbered(String each, int count) {
    return IntStream.range(0, count).mapToObj(each::formatted).toArray(String[]::new);
  }

  private List<String> targets() {
    return rehearsal.web.visits().stream().map(visit -> visit.url().target()).toList();
  }

  @Test
  void a_sitemap_is_read_at_the_domain_s_pace_and_its_pages_are_crawled() {
    site("sitemap http://a.example/map").page("/map", "page http://a.example/1").page("/1");
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(targets()).containsExactly("/robots.txt", "/", "/map", "/1");
    List<Visit> visits = rehearsal.web.visits();
    assertThat(IntStream.range(1, 4).boxed())
        .allMatch(
            n ->
                Duration.between(visits.get(n - 1).startedAt(), visits.get(n).startedAt())
                        .compareTo(Duration.ofSeconds(1))
                    >= 0);
    QueuedUrl found = rehearsal.settled.getLast().entry();
    assertThat(found.kind()).isEqualTo(Kind.PAGE);
    assertThat(found.depth()).isEqualTo(1);
    assertThat(found.referrer()).contains(CrawlUrl.of("http://a.example/map"));
    assertThat(rehearsal.sitemapsRead).containsExactly(CrawlUrl.of("http://a.example/map"));
  }

  @Test
  void a_sitemap_is_no_page_and_costs_none() {
    rehearsal.maxPages = 2;
    site("sitemap http://a.example/map").page("/map", "page http://a.example/1").page("/1");
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.OutOfBudget());
    assertThat(targets()).containsExactly("/robots.txt", "/", "/map", "/1");
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.entry().kind() == Kind.SITEMAP)
        .singleElement()
        .matches(one -> !one.isPage());
  }

  @Test
  void no_sitemap_is_asked_for_once_no_page_can_be_had() {
    rehearsal.maxPagesPerDomain = 1;
    site("sitemap http://a.example/map").page("/map", "page http://a.example/1");
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/");
    assertThat(rehearsal.endings).containsExactly(new Ending.DomainOutOfBudget());
  }

  @Test
  void a_relative_sitemap_line_is_read_against_the_file_it_stands_in() {
    site("sitemap /map").page("/map", "page http://a.example/1");
    rehearsal.seed(HOME).run();
    assertThat(targets()).contains("/map", "/1");
  }

  @Test
  void the_sitemaps_of_an_index_are_read_as_the_pages_before_them_run_out() {
    site("sitemap http://a.example/index")
        .page("/index", "sitemap http://a.example/m1", "sitemap http://a.example/m2")
        .page("/m1", "page http://a.example/1", "page http://a.example/2")
        .page("/m2", "page http://a.example/3");
    rehearsal.seed(HOME).run();
    assertThat(targets())
        .containsExactly("/robots.txt", "/", "/index", "/m1", "/1", "/2", "/m2", "/3");
  }

  @Test
  void indices_that_name_each_other_are_read_once_each() {
    site("sitemap http://a.example/m1")
        .page("/m1", "sitemap http://a.example/m1", "sitemap http://a.example/m2")
        .page("/m2", "sitemap http://a.example/m1");
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(targets()).containsExactly("/robots.txt", "/", "/m1", "/m2");
  }

  @Test
  void a_chain_of_ever_new_indices_ends_at_the_third() {
    Site site = site("sitemap http://a.example/m0");
    for (int n = 0; n < 9; n++) {
      site.page("/m" + n, "sitemap http://a.example/m" + (n + 1));
    }
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/", "/m0", "/m1", "/m2");
  }

  @Test
  void an_index_of_thousands_ends_somewhere_though_no_page_is_ever_found() {
    site("sitemap http://a.example/index")
        .page("/index", numbered("sitemap http://a.example/m%d", 3000))
        .otherwise(_ -> new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY));
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(targets()).hasSize(2 + 1000);
  }

  @Test
  void a_site_speaks_for_itself_alone() {
    site("sitemap http://a.example/map", "sitemap http://other.example/map")
        .page(
            "/map",
            "page http://other.example/1",
            "sitemap http://other.example/map2",
            "page http://www.a.example/1");
    rehearsal.web.site("http://other.example").page("/map").page("/map2").page("/1");
    rehearsal.web.site("http://www.a.example").page("/1");
    rehearsal.seed(HOME).run();
    assertThat(rehearsal.web.asked())
        .contains("http://www.a.example/1")
        .noneMatch(url -> url.contains("other.example"));
  }

  @Test
  void what_is_listed_where_the_site_was_enters_where_it_is_now() {
    site().answer("/", redirect("https://a.example/"));
    rehearsal
        .web
        .site("https://a.example")
        .page("/robots.txt", "sitemap https://a.example/map")
        .page("/")
        .page("/map", "page http://a.example/1")
        .page("/1");
    rehearsal.seed(HOME).run();
    assertThat(rehearsal.done()).endsWith("https://a.example/map", "https://a.example/1");
    assertThat(rehearsal.settled)
        .noneMatch(one -> one.entry().url().equals(CrawlUrl.of("http://a.example/1")));
  }

  @Test
  void a_sitemap_that_robots_txt_denies_is_not_asked() {
    site("deny /map", "sitemap http://a.example/map").page("/map", "page http://a.example/1");
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/");
  }

  @Test
  void switched_off_none_is_asked_not_even_one_that_is_queued() {
    site("sitemap http://a.example/map").page("/map", "page http://a.example/1");
    rehearsal.sitemaps = false;
    rehearsal.memory.add(
        List.of(QueuedUrl.sitemap(CrawlUrl.of("http://a.example/old"))), Instant.EPOCH);
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(targets()).containsExactly("/robots.txt", "/");
  }

  @Test
  void switched_on_again_they_are_read_out_of_the_file_that_is_known() {
    site("sitemap http://a.example/map").page("/map", "page http://a.example/1");
    rehearsal.sitemaps = false;
    rehearsal.seed(HOME).run();
    rehearsal.sitemaps = true;
    rehearsal.seed("http://a.example/new").run();
    assertThat(targets()).containsExactly("/robots.txt", "/", "/new", "/map", "/1");
  }

  @Test
  void what_is_no_sitemap_fails_and_nothing_else_does() {
    site("sitemap http://a.example/map").page("/map", "<!doctype html>Not found");
    assertThat(rehearsal.seed(HOME).run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.entry().kind() == Kind.SITEMAP)
        .extracting(Settlement::fate)
        .containsExactly(new Fate.Failed(Category.UNDECODABLE));
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
  }

  @Test
  void a_sitemap_that_fails_is_tried_again_and_one_that_moved_is_followed_within_the_domain() {
    AtomicInteger asked = new AtomicInteger();
    site("sitemap http://a.example/map", "sitemap http://a.example/away")
        .answer(
            "/map",
            (Instant _) ->
                asked.incrementAndGet() < 3
                    ? new FetchOutcome.ServerError(500)
                    : redirect("http://a.example/new"))
        .answer("/away", redirect("http://other.example/map"))
        .page("/new", "page http://a.example/1");
    rehearsal.seed(HOME).run();
    assertThat(targets()).contains("/new", "/1");
    assertThat(targets().stream().filter("/map"::equals)).hasSize(3);
    assertThat(rehearsal.web.asked()).noneMatch(url -> url.contains("other.example"));
  }

  @Test
  void a_sitemap_is_followed_for_five_hops() {
    Site site = site("sitemap http://a.example/map0");
    for (int hop = 0; hop < 8; hop++) {
      site.answer("/map" + hop, redirect("http://a.example/map" + (hop + 1)));
    }
    rehearsal.seed(HOME).run();
    assertThat(targets())
        .containsExactly("/robots.txt", "/", "/map0", "/map1", "/map2", "/map3", "/map4", "/map5");
  }

  private static FetchOutcome redirect(String target) {
    return new FetchOutcome.Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  @Test
  void thousands_of_pages_enter_some_at_a_time_and_none_is_lost_when_the_claim_is() {
    site("sitemap http://a.example/map")
        .page("/map", numbered("page http://a.example/p%d", 1200))
        .otherwise(_ -> new FetchOutcome.ClientError(410));
    int[] most = {0};
    rehearsal.maxPagesPerDomain = 5000;
    rehearsal.maxPages = 5000;
    rehearsal.seed(HOME).keptBy(rehearsal.thiefAt(Door.SETTLE));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    for (Settlement one : rehearsal.settled) {
      most[0] = Math.max(most[0], one.found().size());
    }
    assertThat(most[0]).isLessThanOrEqualTo(500);
    assertThat(targets().stream().filter(target -> target.startsWith("/p")).distinct())
        .hasSize(1200);
  }

  @Test
  void a_feed_that_the_start_page_names_is_read_once_and_costs_no_page() {
    rehearsal.maxPages = 2;
    site()
        .page("/", "feed /feed", "/feed")
        .page("/feed", "page http://a.example/1", "page http://b.example/")
        .page("/1");
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/", "/feed", "/1");
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.entry().isFeed())
        .singleElement()
        .matches(one -> one.entry().kind() == Kind.SITEMAP && !one.isPage());
  }

  @Test
  void feeds_of_other_pages_and_of_other_domains_are_not_asked() {
    site().page("/", "feed http://b.example/feed", "/1").page("/1", "feed /comments");
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/", "/1");
  }

  @Test
  void a_feed_that_robots_txt_denies_is_not_asked() {
    site("deny /feed").page("/", "feed /feed");
    rehearsal.seed(HOME).run();
    assertThat(targets()).containsExactly("/robots.txt", "/");
  }
}
