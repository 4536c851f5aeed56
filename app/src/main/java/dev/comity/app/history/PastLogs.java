package dev.comity.app.history;

import dev.comity.app.lists.ListFormat;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import dev.comity.store.ServerDatabase;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Opens logs: databases and tables in files. */
public record PastLogs(PastRows rows) {
  private static final String STATUS = "status";

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

  private static PastTables server(String from) {
    ServerDatabase server;
    try {
      server = ServerDatabase.at(from);
    } catch (IllegalArgumentException _) {
      throw new WrongSetting(
          "the address of the database cannot be read: use"
              + " postgresql://NAME@HOST:PORT/DATABASE");
    }
    if (server.tellsPassword()) {
      throw new WrongSetting(
          "the address of the database holds a password, which other users of this machine can"
              + " see: put it into PGPASSWORD or ~/.pgpass");
    }
    return PastTables.server(server);
  }

  private void table(Path file) {
    String name = String.valueOf(file.getFileName());
    ListFormat format = ListFormat.of(file);
    if (format == ListFormat.TXT) {
      throw new WrongSetting(
          "%s is a list of URLs, and says nothing of their answers; `comity fetch` fetches them"
              .formatted(Printable.text(name)));
    }
    Columns columns = new Columns(name, format == ListFormat.CSV || format == ListFormat.TSV);
    try {
      format.reader().read(file, columns::row);
    } catch (IOException failed) {
      throw new WrongSetting(
          "%s cannot be read (%s)"
              .formatted(Printable.text(name), failed.getClass().getSimpleName()));
    }
  }

  /** Hands rows on by what their columns are. */
  private final class Columns {
    private final String name;
    private final boolean all;
    private int most;
    private boolean withStatus;

    /**
     * @param all whether every row has every column; other formats leave out a value that is
     *     missing
     */
    Columns(String name, boolean all) {
      this.name = name;
      this.all = all;
    }

    /** A row of images names an image, a row of the log a domain or a URL. */
    void row(long number, Map<String, String> values) {
      most = Math.max(most, values.size());
      if (values.isEmpty()) {
        rows.unreadable(name, number, "it is no row: quotes, braces or separators do not fit");
      } else if (all && values.size() < most) {
        // The file was cut off here, or its log was.
        rows.unreadable(
            name,
            number,
            "it has %d values, but rows before it have %d".formatted(values.size(), most));
      } else if (PastRows.isProvenance(values.keySet())) {
        rows.image(name, number, values);
      } else {
        withStatus |= values.containsKey(STATUS);
        rows.request(name, number, withStatus ? withStatus(values) : values);
      }
    }

    private static Map<String, String> withStatus(Map<String, String> values) {
      Map<String, String> all = new HashMap<>(values);
      all.putIfAbsent(STATUS, "");
      return all;
    }
  }
}
