package dev.comity.parquet;

/**
 * A column of a table. Every value may be absent.
 *
 * @param name in lower case, with underscores
 */
public record ParquetColumn(String name, Type type) {

  /** What a column holds. */
  public enum Type {
    /** A {@code String}. */
    TEXT,
    /** A {@code Long} or {@code Integer}; 64 bits. */
    INTEGER,
    /** A {@code Double}. */
    REAL,
    /** A {@code Boolean}. */
    TRUTH,
    /** An {@code Instant}: a timestamp in UTC, to the millisecond. */
    TIME
  }
}
