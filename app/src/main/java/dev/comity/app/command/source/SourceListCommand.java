package dev.comity.app.command.source;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.core.port.source.SourceOperations.SourceRecord;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code comity source list}: the sources there are. */
@Command(name = "list", description = "List the sources with their intervals and last starts.")
public final class SourceListCommand extends SourceDataCommand {
  @Override
  protected int answer(DataOption data) {
    List<SourceRecord> sources = sources(data).sources();
    Duration global = settings().policy().pace().minimum();
    Instant now = Instant.now();
    if (inJson()) {
      sources.forEach(source -> say(fields(source, global, now)));
      return Exit.DONE;
    }
    if (sources.isEmpty()) {
      say("no source; `comity source add NAME` makes one");
      return Exit.DONE;
    }
    say("%-24s %-12s %10s %10s  %s".formatted("source", "interval", "URLs", "unfinished", "turn"));
    for (SourceRecord source : sources) {
      say(
          "%-24s %-12s %10d %10d  %s"
              .formatted(
                  Printable.text(source.name()),
                  words(source.interval()),
                  source.urls(),
                  source.unfinished(),
                  turn(source, global, now)));
    }
    return Exit.DONE;
  }

  private static String turn(SourceRecord source, Duration global, Instant now) {
    return due(source, global, now).map(at -> "at " + Timestamps.second(at)).orElse("now")
        + source.lastStart().map(at -> ", last start " + Timestamps.second(at)).orElse("");
  }

  private static Optional<Instant> due(SourceRecord source, Duration global, Instant now) {
    return SourcePace.of(source.interval(), global, source.lastStart()).dueAfter(now);
  }

  private static Fields fields(SourceRecord source, Duration global, Instant now) {
    Optional<Duration> effective =
        SourcePace.of(source.interval(), global, source.lastStart()).interval();
    return Fields.none()
        .and("source", source.name())
        .and("interval_seconds", source.interval().map(AnswerWords::seconds))
        .and("effective_seconds", effective.map(AnswerWords::seconds))
        .and("last_start", source.lastStart())
        .and("due", due(source, global, now))
        .and("urls", source.urls())
        .and("unfinished", source.unfinished());
  }

  /** An interval in words. */
  static String words(Optional<Duration> interval) {
    return interval
        .map(value -> value.isPositive() ? Durations.seconds(value) : "off")
        .orElse("default");
  }
}
