package dev.comity.app.command.source;

import dev.comity.app.settings.WrongSetting;
import picocli.CommandLine.Command;

/** {@code comity source}: named sets of URLs with a pace of their own. */
@Command(
    name = "source",
    description = {
      "Sources are named sets of URLs with an interval of their own, over all their domains. It"
          + " counts beside the delay of each domain."
    },
    subcommands = {
      SourceAddCommand.class,
      SourceSetCommand.class,
      SourceListCommand.class,
      SourceRemoveCommand.class
    })
public final class SourceCommand implements Runnable {
  @Override
  public void run() {
    throw new WrongSetting(
        "source needs one of: add, set, list, remove; `comity help source` explains them");
  }
}
