package dev.comity.app.command.fleet;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.DurationConverter;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import dev.comity.store.fleet.Fleet;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity cleanup-stale-runs}: closes runs that no worker is at any more. */
@Command(
    name = "cleanup-stale-runs",
    description = {
      "Close open runs of a database that no worker was at for a while, and end workers that are"
          + " gone.",
      "",
      "A worker that joins continues an open run. One that is closed stays as it is; what it left"
          + " in the frontiers is there for the next run."
    })
public final class CleanupStaleRunsCommand extends DataCommand {
  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "What was silent for this long is stale (default: 1d).")
  private Duration silence = Duration.ofDays(1);

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dry;

  @Override
  protected int answer(DataOption data) {
    Fleet.CleanedUp done =
        Fleet.cleanUp(DrainCommand.server(data), silence, dry, DrainCommand.actor());
    String would = dry ? "would be " : "is ";
    for (String worker : done.workers()) {
      if (inJson()) {
        say(Fields.none().and("worker", worker).and("state", "lost"));
      } else {
        say("worker %s %sended".formatted(Printable.text(worker), would));
      }
    }
    for (long run : done.runs()) {
      if (inJson()) {
        say(Fields.none().and("run", run).and("status", "superseded"));
      } else {
        say("run %d %sclosed".formatted(run, would));
      }
    }
    if (!inJson() && done.workers().isEmpty() && done.runs().isEmpty()) {
      say("nothing was silent for " + Durations.setting(silence));
    }
    return Exit.DONE;
  }
}
