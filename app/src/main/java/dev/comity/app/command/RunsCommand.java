package dev.comity.app.command;

import dev.comity.app.process.Terminal;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.util.Printable;
import dev.comity.store.report.RunRecord;
import dev.comity.store.report.StoreReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity runs}: the runs and their progress. */
@Command(
    name = "runs",
    aliases = "list-runs",
    description = "List the runs of a data directory, the newest first.")
public final class RunsCommand extends ReportCommand {
  private static final int SEEDS = 3;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most this many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Override
  void report(StoreReader reader) {
    requirePositive("limit", limit);
    // One more than is shown tells whether there are more.
    List<RunRecord> runs = reader.runs(limit + 1, SEEDS);
    List<RunRecord> shown = runs.subList(0, Math.min(limit, runs.size()));
    if (inJson()) {
      shown.forEach(run -> say(fields(run)));
    } else if (shown.isEmpty()) {
      say("there are no runs");
    } else {
      say(table(shown).lines(Terminal.columns()));
      if (runs.size() > limit) {
        say("there are more; --limit N shows them");
      }
    }
  }

  private static Table table(List<RunRecord> runs) {
    Table table =
        new Table(
            List.of(
                Heading.right("RUN"),
                Heading.left("STATUS"),
                Heading.right("PAGES"),
                Heading.right("DOMAINS"),
                Heading.left("STARTED"),
                Heading.left("ENDED")),
            Set.of("DOMAINS", "ENDED"));
    for (RunRecord run : runs) {
      table.row(
          List.of(
              Long.toString(run.id()),
              run.status(),
              run.pages() + "/" + run.maxPages(),
              Long.toString(run.jobs().all()),
              Timestamps.minute(run.startedAt()),
              run.endedAt().map(Timestamps::minute).orElse("-")),
          below(run));
    }
    return table;
  }

  private static List<String> below(RunRecord run) {
    List<String> lines = new ArrayList<>();
    long others = run.seedCount() - run.seeds().size();
    lines.add(
        "from "
            + Printable.text(String.join(" ", run.seeds()))
            + (others > 0 ? " and " + others + " more" : ""));
    run.endReason().ifPresent(why -> lines.add(Printable.text(why)));
    if (run.isInterrupted()) {
      lines.add("no process works on it; the same command goes on with it");
    }
    RunRecord.JobCounts jobs = run.jobs();
    lines.add(
        "domains: %d under way, %d done, %d failed, %d with their budget spent"
            .formatted(jobs.open(), jobs.done(), jobs.failed(), jobs.spent()));
    if (run.lives() > 1) {
      lines.add("taken up " + Words.count(run.lives() - 1, "time"));
    }
    return lines;
  }

  private static Fields fields(RunRecord run) {
    return Fields.none()
        .and("run", run.id())
        .and("status", run.status())
        .and("pages", run.pages())
        .and("max_pages", run.maxPages())
        .and("max_pages_per_domain", run.maxPagesPerDomain())
        .and("lives", run.lives())
        .and("started_at", run.startedAt())
        .and("resumed_at", run.resumedAt())
        .and("ended_at", run.endedAt())
        .and("end_reason", run.endReason())
        .and("seeds", run.seeds())
        .and("seed_count", run.seedCount())
        .and("jobs_open", run.jobs().open())
        .and("jobs_done", run.jobs().done())
        .and("jobs_failed", run.jobs().failed())
        .and("jobs_spent", run.jobs().spent());
  }
}
