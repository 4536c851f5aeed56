package dev.comity.store.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts of {@code deploy/downgrade}: each undoes the migration of the same name. */
public final class DowngradeScript {
  private static final Path DIRECTORY = Path.of("..", "deploy", "downgrade");

  private DowngradeScript() {}

  /** The names of those for a kind of database, sorted. */
  public static List<String> names(String kind) {
    try (Stream<Path> files = Files.list(DIRECTORY.resolve(kind))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Those that the documents name, in their order. */
  public static List<String> documented(String kind) {
    try {
      return Pattern.compile("deploy/downgrade/" + kind + "/(\\S+)")
          .matcher(Files.readString(Path.of("..", "docs", "operating.md")))
          .results()
          .map(found -> found.group(1))
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Runs one, without the commands of psql and sqlite3, which begin with \\ and a point. */
  public static void run(String kind, String name, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String text =
          Files.readAllLines(DIRECTORY.resolve(kind).resolve(name)).stream()
              .filter(line -> !line.startsWith(".") && !line.startsWith("\\"))
              .collect(Collectors.joining("\n"));
      statement.executeUpdate(text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
