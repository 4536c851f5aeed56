package dev.comity.testkit.engine;

import static dev.comity.testkit.engine.support.Rehearsal.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.Fleet;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** URLs of a source start an interval apart, on whatever domain. */
class SourcesInCrawlTest {
  private final Rehearsal rehearsal = new Rehearsal();

  private void source(double seconds) {
    rehearsal
        .memory
        .sources()
        .addSource("news", Optional.of(Duration.ofMillis(Math.round(seconds * 1000))));
  }

  private static QueuedUrl news(String url) {
    return QueuedUrl.seed(CrawlUrl.of(url), Optional.empty()).of("news");
  }

  private void add(String... urls) {
    for (String url : urls) {
      rehearsal.memory.add(List.of(news(url)), Instant.EPOCH);
    }
  }

  /** Three hosts with so many pages each, all of one source. */
  private void threeHosts(int pages) {
    for (String host : List.of("a", "b", "c")) {
      PretendWeb.Site site = rehearsal.web.site("http://" + host + ".example");
      for (int page = 0; page < pages; page++) {
        site.page("/" + page);
        add("http://" + host + ".example/" + page);
      }
    }
  }

  /** When pages started, robots.txt files left out. */
  private List<Instant> starts() {
    return starts(rehearsal.web);
  }

  private static List<Instant> starts(PretendWeb web) {
    return web.visits().stream()
        .filter(visit -> !visit.url().target().equals("/robots.txt"))
        .map(PretendWeb.Visit::startedAt)
        .toList();
  }

  private static void areApart(List<Instant> starts, Duration least) {
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .as("start " + n)
          .isGreaterThanOrEqualTo(least);
    }
  }

  @Test
  void three_hosts_of_one_source_have_one_pace() {
    source(10);
    threeHosts(3);
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(9);
    areApart(starts(), Duration.ofSeconds(10));
    // The turns are used as they come: eight intervals, and little more.
    assertThat(Duration.between(starts().getFirst(), starts().getLast()))
        .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(85));
  }

  @Test
  void a_source_faster_than_its_domains_waits_for_them_alone() {
    source(0.3);
    threeHosts(3);
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(9);
    areApart(starts(), Duration.ofMillis(300));
    assertThat(Duration.between(starts().getFirst(), starts().getLast()))
        .isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void other_urls_of_the_domain_do_not_wait_for_the_source() {
    source(60);
    rehearsal.web.site("http://a.example").page("/1").page("/2").page("/3").page("/x").page("/y");
    add("http://a.example/1", "http://a.example/2", "http://a.example/3");
    rehearsal.seed("http://a.example/x", "http://a.example/y");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.web.asked())
        .containsExactly(
            "http://a.example/robots.txt",
            "http://a.example/1",
            "http://a.example/x",
            "http://a.example/y",
            "http://a.example/2",
            "http://a.example/3");
    List<Instant> starts = starts();
    areApart(starts, Duration.ofSeconds(1));
    areApart(List.of(starts.get(0), starts.get(3), starts.get(4)), Duration.ofSeconds(60));
  }

  @Test
  void a_url_that_arrives_while_its_domain_waits_for_a_source_is_asked_soon() {
    source(300);
    rehearsal.web.site("http://a.example").page("/1").page("/2").page("/x");
    add("http://a.example/1", "http://a.example/2");
    rehearsal.time.run(
        () -> {
          rehearsal.at(START.plusSeconds(100), () -> rehearsal.seed("http://a.example/x"));
          return rehearsal.crawl().run();
        });
    assertThat(rehearsal.web.asked())
        .endsWith("http://a.example/1", "http://a.example/x", "http://a.example/2");
    assertThat(starts().get(1)).isBetween(START.plusSeconds(100), START.plusSeconds(103));
  }

  @Test
  void retries_and_redirects_respect_the_interval() {
    source(10);
    rehearsal
        .web
        .site("http://a.example")
        .answer("/broken", new FetchOutcome.ServerError(500))
        .answer(
            "/old",
            new FetchOutcome.Redirect(301, Optional.of(CrawlUrl.of("http://b.example/new"))));
    rehearsal.web.site("http://b.example").page("/new");
    add("http://a.example/broken", "http://a.example/old");
    rehearsal.run();
    assertThat(starts()).hasSize(6);
    areApart(starts(), Duration.ofSeconds(10));
  }

  @Test
  void the_interval_counts_from_the_first_byte_and_not_from_the_turn() {
    source(2);
    threeHosts(2);
    // Its answers come late, so the store learns of its starts late.
    rehearsal
        .web
        .site("http://b.example")
        .hesitation(Duration.ofSeconds(5))
        .latency(Duration.ofMillis(50), Duration.ofSeconds(10));
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(6);
    areApart(starts(), Duration.ofSeconds(2));
  }

  @Test
  void a_host_that_cannot_be_connected_does_not_hold_the_source_for_ever() {
    source(2);
    threeHosts(2);
    rehearsal
        .web
        .site("http://b.example")
        .unconnectable(new FetchOutcome.ConnectionFailed("refused"));
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(4);
    areApart(starts(), Duration.ofSeconds(2));
  }

  @Test
  void of_many_hosts_one_is_connected_to_at_a_time() {
    source(5);
    List<Instant> connections = new ArrayList<>();
    for (int host = 0; host < 20; host++) {
      String name = "http://h" + host + ".example";
      rehearsal
          .web
          .site(name)
          .page("/")
          .unconnectable(
              now -> {
                connections.add(now);
                return Optional.empty();
              });
      add(name + "/");
    }
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(20);
    areApart(starts(), Duration.ofSeconds(5));
    // One for its robots.txt and one for its page: no connection is opened in vain.
    assertThat(connections).hasSize(40);
  }

  @Test
  void a_wait_of_more_than_ten_minutes_parks_the_domain_and_goes_on_with_the_next_run() {
    source(3600);
    rehearsal.web.site("http://a.example").page("/1").page("/2");
    add("http://a.example/1", "http://a.example/2");
    Crawl.End end = rehearsal.run();
    Instant due = starts().getFirst().plusSeconds(3600);
    assertThat(end).isEqualTo(new Crawl.End.Parked(due));
    assertThat(rehearsal.endings).hasSize(1).first().isInstanceOf(Ending.DueLater.class);
    assertThat(rehearsal.runAfter(Duration.ofMinutes(55))).isEqualTo(new Crawl.End.Finished());
    assertThat(starts()).hasSize(2);
    assertThat(starts().getLast()).isBetween(due, due.plusSeconds(2));
  }

  @Test
  void the_interval_holds_across_a_restart() {
    source(60);
    threeHosts(1);
    rehearsal.runAndStopAt(START.plusSeconds(30));
    assertThat(starts()).hasSize(1);
    rehearsal.memory.endClaims();
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(starts()).hasSize(3);
    areApart(starts(), Duration.ofSeconds(60));
  }

  @Test
  void a_deferred_url_is_asked_by_itself_when_its_wait_is_over() {
    source(60);
    rehearsal.web.site("http://a.example").page("/1").page("/2");
    add("http://a.example/1");
    List<AddAnswer> answers = new ArrayList<>();
    rehearsal.time.run(
        () -> {
          rehearsal.at(
              START.plusSeconds(2),
              () ->
                  answers.add(
                      rehearsal.memory.offer(
                          news("http://a.example/2"), rehearsal.time.instant())));
          rehearsal.web.site("http://b.example").page("/").latency("/", Duration.ofSeconds(10));
          rehearsal.seed("http://b.example/");
          return rehearsal.crawl().run();
        });
    assertThat(answers).hasSize(1).first().isInstanceOf(AddAnswer.Deferred.class);
    AddAnswer.Deferred deferred = (AddAnswer.Deferred) answers.getFirst();
    Instant asked =
        rehearsal.web.visits().stream()
            .filter(visit -> visit.url().target().equals("/2"))
            .map(PretendWeb.Visit::startedAt)
            .findFirst()
            .orElseThrow();
    assertThat(asked).isBetween(deferred.due(), deferred.due().plusSeconds(2));
  }

  @Test
  void a_shorter_interval_takes_effect_in_a_running_crawl() {
    source(500);
    threeHosts(1);
    rehearsal.time.run(
        () -> {
          rehearsal.at(
              START.plusSeconds(100),
              () -> rehearsal.memory.sources().setInterval("news", Optional.of(Duration.ZERO)));
          return rehearsal.crawl().run();
        });
    assertThat(starts()).hasSize(3);
    assertThat(starts().getLast()).isBetween(START.plusSeconds(100), START.plusSeconds(105));
  }

  @Test
  void a_deferral_is_told_once_before_the_next_request() {
    source(60);
    rehearsal.web.site("http://a.example").page("/1").page("/2").page("/3");
    add("http://a.example/1", "http://a.example/2", "http://a.example/3");
    List<String> told = new ArrayList<>();
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void deferred(DomainName domain, String source, Instant until) {
            told.add(domain + " " + source);
          }
        };
    rehearsal.run();
    assertThat(told).containsExactly("a.example news", "a.example news");
  }

  @Test
  void workers_of_a_fleet_keep_one_pace() {
    Fleet fleet = new Fleet(Duration.ofMinutes(5));
    fleet.maxClaims = 2;
    fleet.memory.sources().addSource("news", Optional.of(Duration.ofSeconds(4)));
    for (int host = 0; host < 6; host++) {
      String name = "http://h" + host + ".example";
      fleet.web.site(name).page("/1").page("/2");
      fleet.memory.add(List.of(news(name + "/1"), news(name + "/2")), Instant.EPOCH);
    }
    Map<String, Crawl.End> ends = new HashMap<>();
    fleet.time.run(
        () -> {
          for (String name : List.of("one", "two", "three")) {
            fleet.worker(name).startInto(ends);
          }
          while (ends.size() < 3) {
            fleet.pass(Duration.ofSeconds(1));
          }
          return true;
        });
    assertThat(starts(fleet.web)).hasSize(12);
    areApart(starts(fleet.web), Duration.ofSeconds(4));
  }
}
