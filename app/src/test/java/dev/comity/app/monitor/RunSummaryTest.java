package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.output.JsonLines;
import dev.comity.app.support.Settled;
import dev.comity.core.engine.Crawl.End;
import dev.comity.core.port.store.Ending;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunSummaryTest {
  private final CrawlCounts nothing = new CrawlCounts();
  private final CrawlCounts onePage = new CrawlCounts();

  RunSummaryTest() {
    nothing.claimed(URL.domain());
    onePage.claimed(URL.domain());
    onePage.started(URL.domain(), Settled.attempt(URL, NOON));
    onePage.settled(URL.domain(), Settled.answered(404));
  }

  @Test
  void every_end_has_its_words() {
    assertThat(words(new End.Finished())).isEqualTo("done: 1 page (1 × 404) in 12 s, 1 request");
    assertThat(words(new End.OutOfBudget()))
        .isEqualTo(
            "page budget spent (--max-pages gives more): 1 page (1 × 404) in 12 s, 1 request");
    assertThat(words(new End.OutOfTime()))
        .isEqualTo("time is up (--max-time gives more): 1 page (1 × 404) in 12 s, 1 request");
    assertThat(words(new End.Parked(NOON)))
        .isEqualTo(
            "what is left may not be asked before 2026-11-01 12:00:00 UTC: 1 page (1 × 404) in 12"
                + " s, 1 request");
    assertThat(words(new End.AllPaused()))
        .isEqualTo(
            "what is left is paused by the operator (`comity domain set NAME --resume` lets it go"
                + " on): 1 page (1 × 404) in 12 s, 1 request");
    assertThat(words(new End.Stopped())).isEqualTo("stopped: 1 page (1 × 404) in 12 s, 1 request");
    assertThat(RunSummary.words(new End.Finished(), nothing, Duration.ZERO))
        .isEqualTo("done: 0 pages in 0.0 s, 0 requests");
  }

  @Test
  void too_few_file_descriptors_are_named_at_the_end_with_the_limit_and_what_to_do() {
    onePage.shortOfDescriptors(60);
    assertThat(words(new End.Finished()))
        .isEqualTo(
            "done: 1 page (1 × 404) in 12 s, 1 request\n"
                + "Too few file descriptors: the limit is 60. Fewer connections are used at once."
                + " A higher limit makes it faster: ulimit -n 4096");
  }

  @Test
  void what_processes_died_with_is_said_last() {
    onePage.setAside(2);
    assertThat(words(new End.Finished()))
        .isEqualTo(
            "done: 1 page (1 × 404), 2 URLs set aside (processes died while asking them) in 12 s,"
                + " 1 request");
    assertThat(JsonLines.line(onePage.fields())).contains("\"set_aside\":2");
  }

  @Test
  void every_end_has_its_exit_code() {
    assertThat(RunSummary.exit(new End.Finished(), onePage, 0)).isZero();
    assertThat(RunSummary.exit(new End.Finished(), nothing, 0)).isEqualTo(1);
    assertThat(RunSummary.exit(new End.OutOfBudget(), onePage, 0)).isZero();
    assertThat(RunSummary.exit(new End.OutOfTime(), nothing, 0)).isZero();
    assertThat(RunSummary.exit(new End.Parked(NOON), onePage, 0)).isEqualTo(4);
    assertThat(RunSummary.exit(new End.AllPaused(), onePage, 0)).isEqualTo(4);
    assertThat(RunSummary.exit(new End.Stopped(), nothing, 0)).isZero();
  }

  @Test
  void a_run_whose_every_job_failed_is_failed() {
    onePage.ended(Settled.URL.domain(), new Ending.JobFailed("20 URLs in a row failed"));
    assertThat(words(new End.Finished()))
        .isEqualTo("failed: 1 page (1 × 404), 1 domain given up in 12 s, 1 request");
    assertThat(RunSummary.exit(new End.Finished(), onePage, 0)).isEqualTo(1);
    onePage.ended(Settled.URL.domain(), new Ending.Exhausted());
    assertThat(words(new End.Finished())).startsWith("done: ");
    assertThat(RunSummary.exit(new End.Finished(), onePage, 0)).isZero();
  }

  @Test
  void where_no_domain_had_anything_to_do_nothing_has_failed() {
    CrawlCounts idle = new CrawlCounts();
    assertThat(RunSummary.words(new End.Finished(), idle, Duration.ZERO))
        .isEqualTo("nothing left to do: 0 pages in 0.0 s, 0 requests");
    assertThat(RunSummary.exit(new End.Finished(), idle, 0)).isZero();
  }

  @Test
  void a_continued_run_that_has_pages_from_before_has_not_failed() {
    assertThat(RunSummary.exit(new End.Finished(), nothing, 1)).isZero();
  }

  private String words(End end) {
    return RunSummary.words(end, onePage, Duration.ofSeconds(12));
  }
}
