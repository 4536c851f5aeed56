package dev.comity.app.command.source;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.store.operate.Intake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity source add NAME}: makes a source and gives it URLs. */
@Command(
    name = "add",
    description = {
      "Make a source, and queue URLs of it. URLs that are known already and of no source become"
          + " its own. A source that is there already gets the URLs."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no URL was refused",
      "2:invalid command line, or a file cannot be read",
      "5:the data directory or the database cannot be used",
      "6:some URLs were refused; the others were added"
    })
public final class SourceAddCommand extends SourceDataCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The name of the source.")
  private String name = "";

  @Parameters(index = "1..*", paramLabel = "URL", description = "URLs or bare hosts.")
  private List<String> urls = List.of();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description =
          "The least time between two requests for its URLs, such as 10 or 0.25; `default` for the"
              + " min-interval of the crawl, `off` for none (default: default).")
  private @Nullable String interval;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Take the URLs of this file, too: one a line; - for standard input.")
  private List<String> files = List.of();

  @Override
  protected int answer(DataOption data) {
    String source = name(name);
    Optional<Duration> wanted = interval == null ? Optional.empty() : interval(interval);
    Settings settings = settings();
    try (Intake intake = intake(data, settings)) {
      boolean added = sources(data).addSource(source, wanted);
      if (!added && interval != null) {
        throw new WrongSetting(
            "source %s is there already: `comity source set %s --interval %s` sets its interval"
                .formatted(source, source, interval));
      }
      if (inJson()) {
        say(Fields.none().and("source", source).and("added", added));
      } else {
        say("source %s %s".formatted(source, added ? "added" : "is there already"));
      }
      UrlAdding adding = new UrlAdding(intake, settings, Optional.of(source), this::answered);
      urls.forEach(adding::argument);
      files.forEach(adding::file);
      return adding.hasRefused() ? Exit.BAD_LINES : Exit.DONE;
    }
  }
}
