package dev.comity.store.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The current row of a query's result. Columns are read by number where a statement runs for every
 * page, else by name.
 */
public final class ResultRow {
  private final ResultSet rows;

  ResultRow(ResultSet rows) {
    this.rows = rows;
  }

  /** Reads one value of the result. */
  private interface Column<T extends @Nullable Object> {
    T read(ResultSet rows) throws SQLException;
  }

  private <T extends @Nullable Object> T read(Column<T> column) {
    try {
      return column.read(rows);
    } catch (SQLException failed) {
      throw Statements.unusable(failed);
    }
  }

  public long getLong(int column) {
    return read(row -> row.getLong(column));
  }

  public int getInt(int column) {
    return read(row -> row.getInt(column));
  }

  public boolean getBoolean(int column) {
    return read(row -> row.getBoolean(column));
  }

  /** Null only where the column may be. */
  @SuppressWarnings("NullAway")
  public String getString(int column) {
    return read(row -> row.getString(column));
  }

  public Optional<String> optionalText(int column) {
    return read(row -> Optional.ofNullable(row.getString(column)));
  }

  public Optional<byte[]> optionalBytes(int column) {
    return read(row -> Optional.ofNullable(row.getBytes(column)));
  }

  public Optional<Double> optionalReal(int column) {
    return read(row -> optional(row.getDouble(column), row));
  }

  public Optional<Double> optionalReal(String column) {
    return read(row -> optional(row.getDouble(column), row));
  }

  private static Optional<Double> optional(double number, ResultSet row) throws SQLException {
    return row.wasNull() ? Optional.empty() : Optional.of(number);
  }

  public OptionalLong optionalNumber(int column) {
    return read(row -> optional(row.getLong(column), row));
  }

  private static OptionalLong optional(long number, ResultSet row) throws SQLException {
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
  }

  public String text(String column) {
    return optionalText(column).orElse("");
  }

  public Optional<String> optionalText(String column) {
    return read(row -> Optional.ofNullable(row.getString(column)));
  }

  public long number(String column) {
    return read(row -> row.getLong(column));
  }

  public OptionalLong optionalNumber(String column) {
    return read(row -> optional(row.getLong(column), row));
  }

  public boolean isSet(String column) {
    return read(row -> row.getBoolean(column));
  }

  public Instant time(String column) {
    return Instant.ofEpochMilli(number(column));
  }

  public Optional<Instant> optionalTime(String column) {
    return optionalMillis(column).map(Instant.EPOCH::plus);
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
    return read(row -> Optional.ofNullable(row.getBytes(column)));
  }
}
