package dev.comity.app;

import dev.comity.store.DataDirectory;
import dev.comity.store.Ledger;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a crawl keeps what it remembers, for every command that looks there. */
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "${COMITY_DATA:-comity-data}",
      description =
          "The data directory (default: the environment's COMITY_DATA, or ./comity-data).")
  private Path directory = Path.of("comity-data");

  /**
   * The directory, with something in it.
   *
   * @throws WrongSetting if there is nothing
   */
  DataDirectory directory() {
    DataDirectory data = new DataDirectory(directory);
    if (!data.exists()) {
      throw new WrongSetting(
          "data is %s, but no crawl has left anything there: crawl something first, or name"
                  .formatted(Visible.text(directory.toString()))
              + " another directory with --data");
    }
    return data;
  }

  /** Opens it for reading. */
  Ledger ledger() {
    return Ledger.open(directory());
  }
}
