package dev.comity.store.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The row a query stands on, read in the types the rest of the program speaks. */
public final class FoundRow {
  private final ResultSet rows;

  FoundRow(ResultSet rows) {
    this.rows = rows;
  }

  /** Reads a column, and says what the database said when it cannot. */
  private interface Reading<T> {
    T read() throws SQLException;
  }

  private static <T> T attempt(Reading<T> reading) {
    try {
      return reading.read();
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    }
  }

  public String text(String column) {
    return optionalText(column).orElse("");
  }

  public Optional<String> optionalText(String column) {
    return attempt(() -> Optional.ofNullable(rows.getString(column)));
  }

  public long number(String column) {
    return attempt(() -> rows.getLong(column));
  }

  public OptionalLong optionalNumber(String column) {
    return attempt(
        () -> {
          long number = rows.getLong(column);
          return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
        });
  }

  Optional<Double> optionalFraction(String column) {
    return attempt(
        () -> {
          double number = rows.getDouble(column);
          return rows.wasNull() ? Optional.empty() : Optional.of(number);
        });
  }

  public boolean isSet(String column) {
    return number(column) != 0;
  }

  public Instant time(String column) {
    return Instant.ofEpochMilli(number(column));
  }

  public Optional<Instant> optionalTime(String column) {
    OptionalLong millis = optionalNumber(column);
    return millis.isPresent()
        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
        : Optional.empty();
  }

  public Duration millis(String column) {
    return Duration.ofMillis(number(column));
  }

  public Optional<Duration> optionalMillis(String column) {
    OptionalLong millis = optionalNumber(column);
    return millis.isPresent()
        ? Optional.of(Duration.ofMillis(millis.getAsLong()))
        : Optional.empty();
  }

  public Optional<byte[]> optionalBytes(String column) {
    return attempt(() -> Optional.ofNullable(rows.getBytes(column)));
  }
}
