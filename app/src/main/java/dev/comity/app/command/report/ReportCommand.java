package dev.comity.app.command.report;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.store.report.StoreReader;

/** A command that shows what a data directory holds. */
abstract class ReportCommand extends DataCommand {
  @Override
  protected final int answer(DataOption data) {
    try (StoreReader reader = data.reader()) {
      report(reader);
    }
    return Exit.DONE;
  }

  /** Reads and shows. */
  abstract void report(StoreReader reader);
}
