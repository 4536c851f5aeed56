package dev.comity.app.command.source;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.core.port.source.SourceOperations.SourceRecord;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity source set NAME}: sets the interval of a source. */
@Command(
    name = "set",
    description = {
      "Set the interval of a source. Works beside a running crawl, which heeds it within two"
          + " seconds."
    })
public final class SourceSetCommand extends SourceDataCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The name of the source.")
  private String name = "";

  @Option(
      names = "--interval",
      required = true,
      paramLabel = "SECONDS",
      description =
          "The least time between two requests for its URLs, such as 10 or 0.25; `default` for the"
              + " min-interval of the crawl, `off` for none.")
  private String interval = "";

  @Override
  protected int answer(DataOption data) {
    Optional<Duration> wanted = interval(interval);
    SourceRecord before = sources(data).setInterval(name, wanted).orElseThrow(() -> unknown(name));
    if (inJson()) {
      say(
          Fields.none()
              .and("source", name)
              .and("interval_seconds", wanted.map(AnswerWords::seconds))
              .and("was_seconds", before.interval().map(AnswerWords::seconds)));
    } else {
      say(
          "source %s: interval %s (was %s)"
              .formatted(
                  name,
                  SourceListCommand.words(wanted),
                  SourceListCommand.words(before.interval())));
    }
    return Exit.DONE;
  }
}
