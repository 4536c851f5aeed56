package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.policy.Failures;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A bare host is asked over http once no https connection can be made, and never once one was. */
class FallbackTest {
  private static final Instant START = Rehearsal.START;
  private static final FetchOutcome NO_TLS = new FetchOutcome.TlsFailed("bad certificate");

  private final Rehearsal rehearsal = new Rehearsal();
  private final List<Instant> tries = new ArrayList<>();

  private void crawlBareHost() {
    rehearsal.web.site("http://a.example").page("/");
    rehearsal.memory.add(
        List.of(
            QueuedUrl.seed(
                CrawlUrl.of("https://a.example/"), Optional.of(CrawlUrl.of("http://a.example/")))),
        Instant.EPOCH);
    rehearsal.run();
  }

  /** No connection to https://a.example is made, and each try is noted. */
  private void refuseHttps(FetchOutcome outcome) {
    rehearsal
        .web
        .site("https://a.example")
        .unconnectable(
            now -> {
              tries.add(now);
              return Optional.of(outcome);
            });
  }

  @ParameterizedTest
  @MethodSource("noConnection")
  void the_first_connection_that_cannot_be_made_leads_to_http(FetchOutcome outcome) {
    refuseHttps(outcome);
    crawlBareHost();
    assertThat(tries).hasSize(1);
    assertThat(rehearsal.web.asked())
        .containsExactly("http://a.example/robots.txt", "http://a.example/");
    assertThat(rehearsal.settled)
        .extracting(one -> one.entry().url() + " " + one.fate().getClass().getSimpleName())
        .containsExactly("https://a.example/ Moved", "http://a.example/ Done");
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
  }

  private static List<FetchOutcome> noConnection() {
    return List.of(
        NO_TLS, new FetchOutcome.ConnectionFailed("refused"), new FetchOutcome.TimedOut("connect"));
  }

  @Test
  void the_try_over_https_rests_nothing_and_counts_for_nothing() {
    refuseHttps(NO_TLS);
    // Http fails as well, so that all that was counted is still there at the end.
    rehearsal
        .web
        .site("http://a.example")
        .unconnectable(new FetchOutcome.ConnectionFailed("refused"));
    rehearsal.memory.add(
        List.of(
            QueuedUrl.seed(
                CrawlUrl.of("https://a.example/"), Optional.of(CrawlUrl.of("http://a.example/")))),
        Instant.EPOCH);
    rehearsal.runAndStopAt(START.plusMillis(1_500));
    assertThat(tries).hasSize(1);
    Failures failures = rehearsal.state("a.example").failures();
    assertThat(failures.moments()).isEqualTo(1);
    assertThat(failures.last()).contains(Category.CONNECTION_FAILED);
    assertThat(failures.robots())
        .extracting(tried -> tried.url().toString())
        .containsExactly("http://a.example/robots.txt");
  }

  @Test
  void several_bare_seeds_of_one_host_cost_one_connection() {
    refuseHttps(NO_TLS);
    rehearsal.web.site("http://a.example").page("/1").page("/2").page("/3");
    for (String path : List.of("/1", "/2", "/3")) {
      rehearsal.memory.add(
          List.of(
              QueuedUrl.seed(
                  CrawlUrl.of("https://a.example" + path),
                  Optional.of(CrawlUrl.of("http://a.example" + path)))),
          Instant.EPOCH);
    }
    rehearsal.run();
    assertThat(tries).hasSize(1);
    assertThat(rehearsal.done())
        .containsExactly("http://a.example/1", "http://a.example/2", "http://a.example/3");
  }

  @Test
  void a_page_that_cannot_be_connected_does_not_lead_to_http_when_robots_txt_came_over_https() {
    rehearsal
        .web
        .site("https://a.example")
        .page("/robots.txt")
        .unconnectable(FallbackTest::afterASecond);
    crawlBareHost();
    assertThat(rehearsal.web.asked()).containsExactly("https://a.example/robots.txt");
  }

  @Test
  void a_robots_txt_that_failed_over_https_once_it_had_been_reached_does_not_lead_to_http() {
    rehearsal
        .web
        .site("https://a.example")
        .answer("/robots.txt", new ServerError(503))
        .unconnectable(FallbackTest::afterASecond);
    crawlBareHost();
    assertThat(rehearsal.web.asked()).containsExactly("https://a.example/robots.txt");
  }

  @Test
  void a_robots_txt_that_moved_to_where_nobody_answers_does_not_lead_to_http() {
    rehearsal
        .web
        .site("https://a.example")
        .answer(
            "/robots.txt",
            new FetchOutcome.Redirect(
                301, Optional.of(CrawlUrl.of("https://www.a.example/robots.txt"))));
    rehearsal.web.site("https://www.a.example").unconnectable(NO_TLS);
    crawlBareHost();
    assertThat(rehearsal.web.asked()).doesNotContain("http://a.example/robots.txt");
  }

  @Test
  void https_that_worked_is_remembered_when_the_domain_is_claimed_again() {
    rehearsal
        .web
        .site("https://a.example")
        .answer(
            "/robots.txt", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofMinutes(11))))
        .unconnectable(FallbackTest::afterASecond);
    // Something else keeps the run going meanwhile.
    rehearsal.web.site("http://b.example").page("/robots.txt", "delay 599").page("/", "/1", "/2");
    rehearsal.seed("http://b.example/");
    crawlBareHost();
    assertThat(rehearsal.web.asked())
        .contains("https://a.example/robots.txt", "http://b.example/2")
        .doesNotContain("http://a.example/robots.txt");
    assertThat(rehearsal.claims).filteredOn("claimed a.example"::equals).hasSize(2);
  }

  @Test
  void https_that_worked_once_is_remembered_by_every_process_that_follows() {
    rehearsal.web.site("https://a.example").page("/").unconnectable(FallbackTest::afterAMinute);
    crawlBareHost();
    // The next process hears from another authority of the same domain only.
    rehearsal.web.site("http://www.a.example").page("/");
    rehearsal.seed("http://www.a.example/");
    rehearsal.run();
    assertThat(rehearsal.done()).containsExactly("https://a.example/", "http://www.a.example/");
    rehearsal.memory.add(
        List.of(
            QueuedUrl.seed(
                CrawlUrl.of("https://a.example/2"),
                Optional.of(CrawlUrl.of("http://a.example/2")))),
        Instant.EPOCH);
    // Long enough for the copy of robots.txt to be too old.
    rehearsal.time.run(
        () -> {
          rehearsal.pass(Duration.ofDays(2));
          return rehearsal.crawl().run();
        });
    assertThat(rehearsal.web.asked())
        .contains("https://a.example/")
        .noneMatch(url -> url.startsWith("http://a.example"));
  }

  private static Optional<FetchOutcome> afterAMinute(Instant now) {
    return now.isAfter(START.plusSeconds(60)) ? Optional.of(NO_TLS) : Optional.empty();
  }

  private static Optional<FetchOutcome> afterASecond(Instant now) {
    return now.isAfter(START.plusSeconds(1)) ? Optional.of(NO_TLS) : Optional.empty();
  }
}
