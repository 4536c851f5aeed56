package dev.comity.app.settings;

import dev.comity.core.util.Printable;
import dev.comity.store.DataDirectory;
import dev.comity.store.report.StoreReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a crawl keeps what it remembers, for every command that looks there. */
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("comity-data");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file of settings (default: the environment's COMITY_CONFIG, or ./comity.yaml if there"
              + " is one).")
  @SuppressWarnings("unused") // The configuration finds it by its name.
  private @Nullable Path config;

  /** The directory, whatever is or is not in it. */
  public DataDirectory place() {
    return new DataDirectory(directory);
  }

  /**
   * The directory, with something in it.
   *
   * @throws WrongSetting if there is nothing
   */
  public DataDirectory directory() {
    DataDirectory data = place();
    if (!data.exists()) {
      throw new WrongSetting(
          "data is %s, but no crawl has left anything there: crawl something first, or name"
                  .formatted(Printable.text(directory.toString()))
              + " another directory with --data");
    }
    return data;
  }

  /** Opens it for reading. */
  public StoreReader reader() {
    return StoreReader.open(directory());
  }
}
