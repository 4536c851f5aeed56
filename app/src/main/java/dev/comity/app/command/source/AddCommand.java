package dev.comity.app.command.source;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.store.operate.Intake;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity add URL...}: queues single URLs, each with an answer. */
@Command(
    name = "add",
    description = {
      "Queue URLs. No request is made. Each is answered with one of: enqueued, duplicate, deferred"
          + " or refused.",
      "",
      "Deferred: its source has no turn yet. The URL is queued, and a crawl asks it by itself when"
          + " the wait is over.",
      "",
      "Works beside a running crawl, and without one: `comity crawl` without a URL then asks them."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no URL was refused",
      "2:invalid command line",
      "5:the data directory or the database cannot be used",
      "6:some URLs were refused; the others were added"
    })
public final class AddCommand extends SourceDataCommand {
  @Parameters(arity = "1..*", paramLabel = "URL", description = "URLs or bare hosts.")
  private List<String> urls = List.of();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description = "The source that they are of; `comity source add NAME` makes it.")
  private @Nullable String source;

  @Override
  protected int answer(DataOption data) {
    Settings settings = settings();
    try (Intake intake = intake(data, settings)) {
      UrlAdding adding =
          new UrlAdding(intake, settings, Optional.ofNullable(source), this::answered);
      urls.forEach(adding::argument);
      return adding.hasRefused() ? Exit.BAD_LINES : Exit.DONE;
    }
  }
}
