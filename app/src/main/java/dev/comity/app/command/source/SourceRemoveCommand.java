package dev.comity.app.command.source;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity source remove NAME}: removes a source and keeps its URLs. */
@Command(
    name = "remove",
    description = {
      "Remove a source. Its URLs stay queued or known, without a source: they wait for their"
          + " domains alone."
    })
public final class SourceRemoveCommand extends SourceDataCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The name of the source.")
  private String name = "";

  @Override
  protected int answer(DataOption data) {
    OptionalLong urls = sources(data).removeSource(name);
    if (urls.isEmpty()) {
      throw unknown(name);
    }
    if (inJson()) {
      say(Fields.none().and("source", name).and("urls", urls.getAsLong()));
    } else {
      say(
          "source %s removed; %s without a source now, at the pace of their domains"
              .formatted(
                  name,
                  urls.getAsLong() == 1
                      ? "1 URL is"
                      : Words.count(urls.getAsLong(), "URL") + " are"));
    }
    return Exit.DONE;
  }
}
