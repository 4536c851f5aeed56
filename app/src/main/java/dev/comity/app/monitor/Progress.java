package dev.comity.app.monitor;

import dev.comity.app.output.JsonLines;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The progress and the summary as JSON lines. */
final class Progress {
  private Progress() {}

  /** One moment of it. */
  static String line(Snapshot crawl) {
    CrawlSnapshot snapshot = crawl.snapshot();
    return JsonLines.line(
        EventLines.event(crawl.now(), "info", "progress")
            .and("elapsed_ms", crawl.elapsed())
            .and("pages", crawl.pages())
            .and("pages_per_second", Math.round(crawl.rate() * 10) / 10.0)
            .and("failed", crawl.failed())
            .and("refused", crawl.refused())
            .and("requests", crawl.requests())
            .and("in_flight", snapshot.inFlight())
            .and("domains_at_work", snapshot.domains().size())
            .and("domains_resting", LiveView.resting(crawl).size())
            .and("queued", crawl.census().map(Census::urls))
            .and("domains", crawl.census().map(Progress::domains))
            .and("left_ms", crawl.left())
            .and("waiting", LiveView.stillness(crawl)));
  }

  private static Fields domains(Census census) {
    Fields fields = Fields.none();
    for (DomainStatus status : DomainStatus.values()) {
      fields.and(Words.of(status), census.domains(status));
    }
    return fields;
  }

  /** The whole of it. */
  static String summary(Instant now, Crawl.End end, CrawlCounts counts, Duration took, int exit) {
    return JsonLines.line(
        EventLines.event(now, "info", "summary")
            .and("end", word(end))
            .and(
                "until",
                end instanceof Crawl.End.Parked(var until) ? Optional.of(until) : Optional.empty())
            .and("took_ms", took)
            .and("exit_code", exit)
            .with(counts.fields()));
  }

  private static String word(Crawl.End end) {
    return switch (end) {
      case Crawl.End.Finished _ -> "finished";
      case Crawl.End.OutOfBudget _ -> "out_of_budget";
      case Crawl.End.OutOfImages _ -> "out_of_images";
      case Crawl.End.OutOfTime _ -> "out_of_time";
      case Crawl.End.Parked _ -> "parked";
      case Crawl.End.AllPaused _ -> "paused";
      case Crawl.End.Stopped _ -> "stopped";
    };
  }
}
