package dev.comity.store.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.support.Lives;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed whose redirects end on another domain makes that one a domain the run starts from. */
class MovedSeedsTest {
  private static final String OLD = "http://old.example/";
  private static final String HOP = "http://hop.example/";
  private static final String NEW = "http://new.example/";

  @TempDir private Path home;
  private Lives lives;

  @BeforeEach
  void open() {
    lives = new Lives(home.resolve("data"));
  }

  private static FetchOutcome to(String target) {
    return new Redirect(302, Optional.of(CrawlUrl.of(target)));
  }

  /** From the old domain by a third one to the new one, which has links to all of them. */
  private void moveByHop() {
    lives.web.site("http://old.example").answer("/", to(HOP + "go")).page("/more");
    lives.web.site("http://hop.example").answer("/go", to(NEW)).page("/other");
    lives
        .web
        .site("http://new.example")
        .page("/", "/1", "/2", HOP + "other", OLD + "more", "http://far.example/")
        .page("/1")
        .page("/2", "/3")
        .page("/3");
  }

  private List<String> pagesAskedSince(int visits) {
    return lives.askedSince(visits).stream().filter(url -> !url.endsWith("robots.txt")).toList();
  }

  @Test
  void the_domain_where_its_redirects_end_is_crawled_and_those_on_the_way_are_not() {
    moveByHop();
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAskedSince(0))
        .containsExactlyInAnyOrder(
            OLD, HOP + "go", NEW, NEW + "1", NEW + "2", NEW + "3", OLD + "more");
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void a_process_that_goes_on_with_the_run_goes_on_there() {
    moveByHop();
    lives.when(
        (life, _, page) -> {
          if (page.isPresent() && page.get().entry().url().toString().equals(NEW)) {
            life.crawl().stop();
          }
        });
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Stopped());
    assertThat(pagesAskedSince(0)).contains(NEW).doesNotContain(NEW + "3");
    int before = lives.visits();
    lives.when((_, _, _) -> {});
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Finished());
    assertThat(lives.lastRun().continued()).isTrue();
    assertThat(pagesAskedSince(before)).contains(NEW + "3");
    assertThat(pagesAskedSince(0)).doesNotHaveDuplicates().doesNotContain(HOP + "other");
  }

  @Test
  void so_does_one_that_was_stopped_on_the_way_there() {
    moveByHop();
    lives.when(
        (life, _, page) -> {
          if (page.isPresent() && page.get().entry().url().toString().equals(HOP + "go")) {
            life.crawl().stop();
          }
        });
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Stopped());
    assertThat(pagesAskedSince(0)).containsExactly(OLD, HOP + "go");
    lives.when((_, _, _) -> {});
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAskedSince(0)).contains(NEW, NEW + "3").doesNotHaveDuplicates();
  }

  @Test
  void a_domain_that_another_run_left_work_on_is_no_longer_kept_from_this_one() {
    moveByHop();
    lives.maxPages = 1;
    assertThat(lives.crawl(NEW + "2")).isEqualTo(new Crawl.End.OutOfBudget());
    lives.maxPages = 1000;
    assertThat(lives.crawl(OLD)).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAskedSince(0)).contains(NEW, NEW + "1", NEW + "3");
  }

  @Test
  void another_run_does_not_start_from_there() {
    moveByHop();
    lives.crawl(OLD);
    lives.web.site("http://able.example").page("/", NEW + "4");
    lives.web.site("http://new.example").page("/4");
    int before = lives.visits();
    lives.crawl("http://able.example/");
    assertThat(pagesAskedSince(before)).containsExactly("http://able.example/");
  }

  @Test
  void a_link_that_redirects_to_another_domain_is_not_followed() {
    lives
        .web
        .site("http://old.example")
        .page("/", "/gone")
        .answer("/gone", to("http://new.example/"));
    lives.web.site("http://new.example").page("/");
    lives.crawl(OLD);
    assertThat(pagesAskedSince(0)).containsExactly(OLD, OLD + "gone");
  }

  @Test
  void a_chain_of_more_than_five_hops_ends_unfollowed() {
    for (int hop = 0; hop < 9; hop++) {
      lives
          .web
          .site("http://n" + hop + ".example")
          .answer("/", to("http://n" + (hop + 1) + ".example/"));
    }
    lives.crawl("http://n0.example/");
    assertThat(pagesAskedSince(0)).hasSize(6).endsWith("http://n5.example/");
  }
}
