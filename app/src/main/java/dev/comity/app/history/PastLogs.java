package dev.comity.app.history;

import dev.comity.app.lists.ListFormat;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** Opens logs: databases and tables in files. */
public record PastLogs(PastRows rows) {
  /**
   * Reads one to its end.
   *
   * @param from a PostgreSQL address, a SQLite database, or a file with a table
   * @throws WrongSetting if it cannot be read
   */
  public void read(String from) {
    if (PastTables.isServer(from)) {
      try (PastTables tables = server(from)) {
        tables.read(rows);
      }
      return;
    }
    Path file = file(from);
    if (PastTables.isDatabase(file)) {
      try (PastTables tables = PastTables.file(file)) {
        tables.read(rows);
      }
      return;
    }
    table(file);
  }

  static Path file(String name) {
    try {
      Path file = Path.of(name);
      if (!Files.exists(file)) {
        throw new WrongSetting(Printable.text(name) + " cannot be read: there is no such file");
      }
      return file;
    } catch (InvalidPathException _) {
      throw new WrongSetting(Printable.text(name) + " is no name of a file");
    }
  }

  /** The driver takes name and password beside the address. */
  private static PastTables server(String from) {
    String plain = from.startsWith("jdbc:") ? from.substring("jdbc:".length()) : from;
    URI address;
    try {
      address = URI.create(plain.replaceFirst("^postgres:", "postgresql:"));
    } catch (IllegalArgumentException _) {
      throw new WrongSetting(
          "the address of the database cannot be read: use"
              + " postgresql://NAME@HOST:PORT/DATABASE");
    }
    String user = address.getUserInfo();
    if (user != null && user.contains(":")) {
      throw new WrongSetting(
          "the address of the database holds a password, which other users of this machine can"
              + " see: put it into PGPASSWORD or ~/.pgpass");
    }
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    String password = System.getenv("PGPASSWORD");
    if (password != null) {
      properties.setProperty("password", password);
    }
    String place =
        "%s%s".formatted(address.getHost(), address.getPort() < 0 ? "" : ":" + address.getPort());
    String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
    return PastTables.server(
        "jdbc:postgresql://" + place + address.getRawPath() + query, properties);
  }

  private void table(Path file) {
    String name = String.valueOf(file.getFileName());
    try {
      ListFormat.of(file).reader().read(file, (number, values) -> row(name, number, values));
    } catch (IOException failed) {
      throw new UncheckedIOException(name + " cannot be read", failed);
    }
  }

  /** A row of images names an image, a row of the log a domain or a URL. */
  private void row(String name, long number, Map<String, String> values) {
    if (PastRows.isProvenance(values)) {
      rows.image(name, number, values);
    } else {
      rows.request(name, number, values);
    }
  }
}
