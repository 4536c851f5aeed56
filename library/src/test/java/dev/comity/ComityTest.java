package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.support.Village;
import dev.comity.testkit.wire.Replies;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl from Java: what it tells, what it remembers, what it refuses. */
class ComityTest {
  @TempDir private Path home;

  private final Village village = new Village();

  @AfterEach
  void close() {
    village.close();
  }

  private Comity crawl() {
    return Comity.crawl(village.url("/")).delay(Duration.ZERO);
  }

  @Test
  void pages_links_and_outcomes_are_told_one_after_the_other() throws InterruptedException {
    List<Page> pages = new ArrayList<>();
    List<String> links = new ArrayList<>();
    List<String> outcomes = new ArrayList<>();
    Summary summary =
        crawl()
            .onPage(pages::add)
            .onLink(link -> links.add(link.from().target() + " " + link.to().target()))
            .onOutcome(outcome -> outcomes.add(outcome.word() + " " + outcome.url().target()))
            .run();
    assertThat(pages).extracting(page -> page.url().target()).containsExactly("/", "/inn");
    Page inn = pages.getLast();
    assertThat(inn.status()).isEqualTo(200);
    assertThat(inn.depth()).isEqualTo(1);
    assertThat(inn.referrer()).hasValueSatisfying(url -> assertThat(url.target()).isEqualTo("/"));
    assertThat(inn.title()).contains("Inn");
    assertThat(inn.text()).contains("Full");
    assertThat(new String(inn.body().bytes(), StandardCharsets.UTF_8)).startsWith("<title>Inn");
    assertThat(links).containsExactlyInAnyOrder("/ /inn", "/ /private", "/inn /");
    assertThat(outcomes).containsExactlyInAnyOrder("success /", "success /inn", "denied /private");
    assertThat(summary.end()).isEqualTo(new Crawl.End.Finished());
    assertThat(summary.pages()).isEqualTo(2);
    assertThat(summary.denied()).isEqualTo(1);
    assertThat(summary.requests()).isEqualTo(3);
  }

  @Test
  void hosts_without_an_address_are_refused_at_once() {
    assertThatThrownBy(() -> Comity.crawl("http://nowhere.invalid/", "none.invalid").run())
        .isInstanceOf(CrawlRefused.class)
        .hasMessage(
            "no address found for nowhere.invalid, none.invalid: check the spelling and the"
                + " network");
  }

  @Test
  void what_is_no_html_is_no_page_and_uses_up_no_budget() throws InterruptedException {
    String pdf = Replies.ok("application/pdf", "%PDF-1.4".getBytes(StandardCharsets.UTF_8));
    village
        .with(
            "/", Replies.html("<a href=/menu.pdf>m</a> <a href=/map?big>m</a> <a href=/inn>i</a>"))
        .with("/menu.pdf", pdf)
        .with("/map?big", pdf);
    List<Page> pages = new ArrayList<>();
    List<String> links = new ArrayList<>();
    List<String> outcomes = new ArrayList<>();
    Summary summary =
        crawl()
            .maxPages(2)
            .onPage(pages::add)
            .onLink(link -> links.add(link.to().target()))
            .onOutcome(outcome -> outcomes.add(outcome.word() + " " + outcome.url().target()))
            .run();
    assertThat(pages).extracting(page -> page.url().target()).containsExactly("/", "/inn");
    assertThat(summary.pages()).isEqualTo(2);
    assertThat(summary.skipped()).isEqualTo(2);
    assertThat(summary.failed()).isZero();
    assertThat(summary.toString()).contains(": 2 pages, 2 skipped, 0 failed, ");
    assertThat(links).containsExactlyInAnyOrder("/map?big", "/inn", "/");
    assertThat(outcomes)
        .containsExactlyInAnyOrder("success /", "wrong_type /map?big", "success /inn");
    assertThat(village.asked()).doesNotContain("/menu.pdf");
  }

  @Test
  void budgets_and_patterns_are_kept_to() throws InterruptedException {
    assertThat(crawl().maxPages(1).run().end()).isEqualTo(new Crawl.End.OutOfBudget());
    assertThat(crawl().maxDepth(0).run().pages()).isEqualTo(1);
    assertThat(crawl().exclude("/inn").run().pages()).isEqualTo(1);
    assertThat(crawl().include("/inn").run().denied()).isZero();
  }

  @Test
  void a_crawl_that_is_given_a_time_ends_when_it_is_over() throws InterruptedException {
    Summary summary = crawl().delay(Duration.ofMinutes(5)).maxTime(Duration.ofMillis(50)).run();
    assertThat(summary.end()).isEqualTo(new Crawl.End.OutOfTime());
    assertThat(summary.took()).isLessThan(Duration.ofMinutes(4));
    assertThat(summary).asString().startsWith("out of time: 0 pages, ");
  }

  @Test
  void interrupted_it_stops_and_with_a_directory_it_goes_on_where_it_was()
      throws InterruptedException {
    Thread runner = Thread.currentThread();
    List<String> pages = new ArrayList<>();
    Comity first =
        crawl()
            .delay(Duration.ofMillis(300))
            .data(home)
            .onPage(page -> pages.add(page.url().target()))
            .onPage(_ -> runner.interrupt());
    assertThatThrownBy(first::run).isInstanceOf(InterruptedException.class);
    assertThat(pages).containsExactly("/");
    crawl().data(home).onPage(page -> pages.add(page.url().target())).run();
    assertThat(pages).containsExactly("/", "/inn");
  }

  @Test
  void a_url_is_added_to_the_directory_while_no_crawl_runs_and_the_next_one_asks_it()
      throws InterruptedException {
    village.with("/hidden", Replies.html("<title>Hidden</title>"));
    Comity described = crawl().data(home).source("news", Duration.ofMillis(10), village.url("/"));
    assertThat(described.add(village.url("/hidden"), "news"))
        .isInstanceOf(AddAnswer.Enqueued.class);
    assertThat(described.add(village.url("/hidden"))).isInstanceOf(AddAnswer.Duplicate.class);
    assertThat(described.add(village.url("/more"), "olds")).isInstanceOf(AddAnswer.Refused.class);
    assertThat(described.add("ht tp://no")).isInstanceOf(AddAnswer.Refused.class);
    assertThat(village.starts()).isEmpty();
    List<String> pages = new ArrayList<>();
    crawl().data(home).onPage(page -> pages.add(page.url().target())).run();
    assertThat(pages).contains("/", "/hidden");
  }

  @Test
  void a_url_is_added_nowhere_without_a_crawl_and_a_directory() {
    assertThat(crawl().add(village.url("/hidden")))
        .isEqualTo(
            new AddAnswer.Refused(
                "no crawl is at work and no data directory is named: call data(directory) first,"
                    + " or add while run is at work"));
  }

  @Test
  void a_directory_that_another_crawl_has_is_left_to_it() {
    try (DataDirectory.Hold _ = new DataDirectory(home).hold()) {
      assertThatThrownBy(() -> crawl().data(home).run()).isInstanceOf(DirectoryInUse.class);
    }
    assertThat(village.asked()).isEmpty();
  }

  /**
   * A hook is called when its page is durable, and then the links of the page are, too: a link may
   * be asked for before the hook throws. The links of that second page are never written.
   */
  @Test
  void a_hook_that_throws_ends_the_crawl_and_is_heard_of() {
    village
        .with("/inn", Replies.html("<title>Inn</title><a href=/cellar>cellar</a>"))
        .with("/cellar", Replies.html("<title>Cellar</title>"));
    IllegalStateException mine = new IllegalStateException("mine");
    assertThatThrownBy(
            () ->
                crawl()
                    .onPage(
                        _ -> {
                          throw mine;
                        })
                    .run())
        .isInstanceOf(CrawlFailed.class)
        .hasCause(mine);
    assertThat(village.asked()).contains("/").doesNotContain("/cellar");
  }

  @Test
  void what_makes_no_sense_is_refused_with_the_rule() {
    assertThatThrownBy(() -> Comity.crawl())
        .isInstanceOf(CrawlRefused.class)
        .hasMessage("nowhere to start: name a URL such as https://example.com/");
    assertThatThrownBy(() -> Comity.crawl("http://"))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageContaining("write one like https://example.com/");
    assertThatThrownBy(() -> crawl().maxPages(0))
        .isInstanceOf(CrawlRefused.class)
        .hasMessage("maxPages is 0, but must be at least 1");
    assertThatThrownBy(() -> crawl().delay(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageEndingWith(", but must be 30 days at most");
    assertThatThrownBy(() -> crawl().contact("nobody"))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageStartingWith("contact: a contact is a URL");
    assertThatThrownBy(() -> crawl().include("("))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageStartingWith("include: ");
    assertThatThrownBy(() -> Comity.crawl("http://192.0.2.1/").run())
        .isInstanceOf(CrawlRefused.class)
        .hasMessageContaining("contact(\"you@example.org\")");
  }

  @Test
  void a_time_longer_than_the_calendar_is_as_good_as_none() throws InterruptedException {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(crawl().maxTime(forever).maxPages(1).run().pages()).isEqualTo(1);
  }

  @Test
  void nothing_is_printed() throws InterruptedException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream heard = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(heard);
      System.setErr(heard);
      crawl().data(home).run();
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void urls_of_a_source_start_an_interval_apart_and_one_is_added_while_it_runs() throws Exception {
    for (String path : List.of("/1", "/2", "/3")) {
      village.with(path, Replies.html("<title>x</title>"));
    }
    List<AddAnswer> answers = new ArrayList<>();
    Comity crawl = Comity.crawl(village.url("/1")).delay(Duration.ZERO);
    assertThat(crawl.add(village.url("/2"))).isInstanceOf(AddAnswer.Refused.class);
    crawl
        .source("news", Duration.ofMillis(700), village.url("/1"), village.url("/2"))
        .onPage(
            page -> {
              if (answers.isEmpty()) {
                answers.add(crawl.add(village.url("/3"), "news"));
                answers.add(crawl.add(village.url("/2"), "news"));
                answers.add(crawl.add("ht tp://no", "news"));
                answers.add(crawl.add(village.url("/4"), "olds"));
              }
            })
        .run();
    assertThat(answers)
        .extracting(answer -> answer.getClass().getSimpleName())
        .containsExactly("Deferred", "Duplicate", "Refused", "Refused");
    List<Instant> starts = village.starts();
    assertThat(starts).hasSize(3);
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(660));
    }
  }
}
