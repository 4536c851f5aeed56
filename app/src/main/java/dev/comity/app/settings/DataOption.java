package dev.comity.app.settings;

import dev.comity.core.util.Printable;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.report.StoreReader;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where everything is kept, for every command that uses it. */
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("comity-data");

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "Keep everything in this PostgreSQL database, for several workers:"
              + " postgresql://user@host:5432/name. The password is that of ~/.pgpass, of"
              + " PGPASSWORD, or of a file that ?passwordFile=FILE names.")
  private @Nullable String db;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file of settings (default: the environment's COMITY_CONFIG, or ./comity.yaml if there"
              + " is one).")
  @SuppressWarnings("unused") // The configuration finds it by its name.
  private @Nullable Path config;

  /** The data directory, existing or not. */
  public DataDirectory directory() {
    return new DataDirectory(directory);
  }

  /**
   * The database on a server, if there is one.
   *
   * @throws WrongSetting if its address is none
   */
  public Optional<ServerDatabase> server() {
    return Optional.ofNullable(db).filter(address -> !address.isBlank()).map(DataOption::read);
  }

  private static ServerDatabase read(String address) {
    try {
      return ServerDatabase.at(address);
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  /**
   * Refuses an address of the command line that has a password: every user of the machine can read
   * it there.
   */
  static void refusePassword(@Nullable Object address) {
    if (address instanceof String text && !text.isBlank() && read(text).tellsPassword()) {
      throw new WrongSetting(
          "db has a password on the command line, where every user of this machine can read it:"
              + " leave it out, and keep it in ~/.pgpass (mode 600), in PGPASSWORD, or in a file"
              + " that ?passwordFile=FILE names");
    }
  }

  /** Where everything is kept: the server's database if one is set, else the directory. */
  public StoreLocation place() {
    return server().<StoreLocation>map(server -> server).orElseGet(this::directory);
  }

  /**
   * Where something is kept already.
   *
   * @throws WrongSetting if there is nothing
   */
  public StoreLocation existing() {
    StoreLocation place = place();
    if (!place.exists()) {
      throw new WrongSetting(
          "data is %s, but no crawl has left anything there: crawl something first, or name"
                  .formatted(Printable.text(place.shown()))
              + " another directory with --data");
    }
    return place;
  }

  /** The data directory, for what needs one. */
  public DataDirectory existingOrNewDirectory() {
    if (server().isPresent()) {
      throw new WrongSetting("db is set, but this command works on a data directory only");
    }
    return directory();
  }

  /** The same, with something in it. */
  public DataDirectory existingDirectory() {
    existingOrNewDirectory();
    existing();
    return directory();
  }

  /** Opens it for reading. */
  public StoreReader reader() {
    return StoreReader.open(existing());
  }
}
