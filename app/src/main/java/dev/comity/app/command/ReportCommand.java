package dev.comity.app.command;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.store.report.StoreReader;

/** A command that shows what a data directory holds. */
abstract class ReportCommand extends DataCommand {
  @Override
  final int answer(DataOption data) {
    try (StoreReader reader = data.reader()) {
      report(reader);
    }
    return Exit.DONE;
  }

  /** Reads and shows. */
  abstract void report(StoreReader reader);
}
