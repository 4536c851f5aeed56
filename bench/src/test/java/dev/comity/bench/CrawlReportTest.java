package dev.comity.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.bench.CrawlServer.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrawlReportTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final CrawlWeb web = new CrawlWeb(2, 3, 1, "http", 8080);

  /** Both hosts asked for all they have, a second apart. */
  private final List<Visit> log = new ArrayList<>();

  CrawlReportTest() {
    List<String> paths =
        List.of("/robots.txt", CrawlWeb.path(0), CrawlWeb.path(1), CrawlWeb.path(2), "/old/1");
    for (int i = 0; i < paths.size(); i++) {
      add(0, paths.get(i), i);
      add(1, paths.get(i), i + 0.5);
    }
  }

  private void add(int host, String path, double second) {
    add(host, path, second, second);
  }

  private void add(int host, String path, double second, double since) {
    log.add(new Visit(web.authority(host), path, (long) (second * 1e9), (long) (since * 1e9)));
  }

  @Test
  void a_crawl_that_asked_for_everything_once_in_time_has_no_faults() {
    CrawlReport report = CrawlReport.of(web, log, SECOND);
    assertThat(report.faults()).isEmpty();
    assertThat(report.figures())
        .containsEntry("requests", 10)
        .containsEntry("pages", 6)
        .containsEntry("distinct_pages", 6L)
        .containsEntry("moved", 2L)
        .containsEntry("robots_txt", 2L)
        .containsEntry("duplicates", 0)
        .containsEntry("missing", 0)
        .containsEntry("gaps", 8)
        .containsEntry("gap_least_s", 1.0)
        .containsEntry("gap_p99_over_delay_s", 0.0);
  }

  @Test
  void a_page_asked_twice_is_a_fault() {
    add(1, CrawlWeb.path(2), 20);
    CrawlReport report = CrawlReport.of(web, log, SECOND);
    assertThat(report.faults())
        .containsExactly("duplicates: 1, such as [h1.example:8080/sport/article-2.html]");
    assertThat(report.figures()).containsEntry("pages", 7).containsEntry("distinct_pages", 6L);
  }

  @Test
  void a_moved_page_asked_twice_is_a_fault() {
    add(1, "/old/1", 20);
    assertThat(CrawlReport.of(web, log, SECOND).faults())
        .containsExactly("duplicates: 1, such as [h1.example:8080/old/1]");
  }

  @Test
  void a_page_never_asked_is_a_fault() {
    log.removeIf(visit -> visit.path().equals("/") && visit.host().startsWith("h0."));
    assertThat(CrawlReport.of(web, log, SECOND).faults())
        .containsExactly("missing: 1, such as [h0.example:8080/]");
  }

  @Test
  void a_crawl_that_asked_nothing_misses_everything() {
    assertThat(CrawlReport.of(web, List.of(), SECOND).faults())
        .singleElement()
        .asString()
        .startsWith("missing: 8, such as [h0.example:8080/, ");
  }

  @Test
  void what_robots_txt_forbids_is_a_fault() {
    add(0, "/private/2", 20);
    assertThat(CrawlReport.of(web, log, SECOND).faults())
        .containsExactly("disallowed: 1, such as [h0.example:8080/private/2]");
  }

  @Test
  void a_page_in_a_spelling_of_its_own_is_a_fault() {
    add(0, "/sport/%61rticle-2.html", 20);
    assertThat(CrawlReport.of(web, log, SECOND).faults())
        .containsExactly("unknown urls: 1, such as [h0.example:8080/sport/%61rticle-2.html]");
  }

  @Test
  void two_requests_too_close_are_a_fault_even_if_one_is_for_robots_txt() {
    add(0, "/robots.txt", 4.994);
    List<String> faults = CrawlReport.of(web, log, SECOND).faults();
    assertThat(faults)
        .containsExactly("gaps short for certain: 1, such as [h0.example:8080/robots.txt]");
  }

  @Test
  void two_requests_that_look_close_because_the_first_was_seen_late_are_counted_but_no_fault() {
    add(0, "/robots.txt", 5.2, 4.9);
    add(0, "/robots.txt", 6.1);
    CrawlReport report = CrawlReport.of(web, log, SECOND);
    assertThat(report.faults()).isEmpty();
    assertThat(report.figures())
        .containsEntry("gaps_under_99.5_percent", 1L)
        .containsEntry("gaps_short_for_certain", 0);
  }

  @Test
  void two_requests_too_close_however_late_the_first_was_seen_are_a_fault() {
    add(0, "/robots.txt", 5.2, 5.15);
    add(0, "/robots.txt", 6.1);
    assertThat(CrawlReport.of(web, log, SECOND).faults()).hasSize(1);
  }

  @Test
  void requests_a_hair_early_or_to_different_hosts_are_not_too_close() {
    add(0, "/robots.txt", 4.996);
    CrawlReport report = CrawlReport.of(web, log, SECOND);
    assertThat(report.faults()).isEmpty();
    assertThat(report.figures().getOrDefault("gap_least_s", 0).doubleValue())
        .isBetween(0.9959, 0.9961);
  }

  @Test
  void without_a_delay_no_gap_is_looked_at() {
    add(0, "/robots.txt", 4.1);
    CrawlReport report = CrawlReport.of(web, log, Duration.ZERO);
    assertThat(report.faults()).isEmpty();
    assertThat(report.figures()).doesNotContainKey("gaps");
  }

  @Test
  void the_best_ten_seconds_are_faster_than_the_whole() {
    CrawlWeb one = new CrawlWeb(1, 40, 1, "http", 8080);
    List<Visit> visits = new ArrayList<>();
    for (int page = 0; page < 40; page++) {
      // Ten in the first second, then a pause, then one a second.
      double second = page < 10 ? page * 0.1 : 50 + page;
      long nanos = (long) (second * 1e9);
      visits.add(new Visit(one.authority(0), CrawlWeb.path(page), nanos, nanos));
    }
    assertThat(CrawlReport.of(one, visits, Duration.ZERO).figures())
        .containsEntry("seconds_first_to_last_page", 89.0)
        .containsEntry("pages_per_second", 40 / 89.0)
        .containsEntry("pages_per_second_best_10_s", 1.1);
  }
}
