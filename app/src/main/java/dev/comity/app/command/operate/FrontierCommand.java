package dev.comity.app.command.operate;

import dev.comity.app.settings.WrongSetting;
import picocli.CommandLine.Command;

/** {@code comity frontier}: where the links that wait are kept. */
@Command(
    name = "frontier",
    description = {"Links that wait to be asked are in the data directory, or in Redis."},
    subcommands = {FrontierMoveCommand.class})
public final class FrontierCommand implements Runnable {
  @Override
  public void run() {
    throw new WrongSetting("frontier needs: move; `comity help frontier` explains it");
  }
}
