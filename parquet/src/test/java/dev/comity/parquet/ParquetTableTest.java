package dev.comity.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read by DuckDB. */
class ParquetTableTest {
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("url", ParquetColumn.Type.TEXT),
          new ParquetColumn("status", ParquetColumn.Type.INTEGER),
          new ParquetColumn("score", ParquetColumn.Type.REAL),
          new ParquetColumn("page", ParquetColumn.Type.TRUTH),
          new ParquetColumn("started_at", ParquetColumn.Type.TIME));

  @TempDir private Path home;

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  private Path table() {
    return home.resolve("t.parquet");
  }

  @Test
  void another_reader_sees_types_values_and_what_is_absent() throws Exception {
    Instant at = Instant.parse("2026-11-18T04:05:06.789Z");
    try (ParquetTable table = ParquetTable.create(table(), COLUMNS)) {
      table.write(row("https://ä.example/\u0001", 200L, 0.5, true, at));
      table.write(row(null, null, null, null, null));
      table.write(row("", Integer.MAX_VALUE, -1.0, false, Instant.EPOCH));
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement query = duck.createStatement()) {
      try (ResultSet types = query.executeQuery("DESCRIBE SELECT * FROM '" + table() + "'")) {
        StringBuilder seen = new StringBuilder();
        while (types.next()) {
          seen.append(types.getString(1)).append(' ').append(types.getString(2)).append('\n');
        }
        assertThat(seen.toString())
            .isEqualTo(
                """
                url VARCHAR
                status BIGINT
                score DOUBLE
                page BOOLEAN
                started_at TIMESTAMP WITH TIME ZONE
                """);
      }
      try (ResultSet rows = query.executeQuery("SELECT * FROM '" + table() + "'")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("https://ä.example/\u0001");
        assertThat(rows.getLong(2)).isEqualTo(200);
        assertThat(rows.getDouble(3)).isEqualTo(0.5);
        assertThat(rows.getBoolean(4)).isTrue();
        assertThat(rows.getObject(5, OffsetDateTime.class).toInstant()).isEqualTo(at);
        assertThat(rows.next()).isTrue();
        for (int column = 1; column <= 5; column++) {
          assertThat(rows.getObject(column)).isNull();
        }
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEmpty();
        assertThat(rows.getLong(2)).isEqualTo(Integer.MAX_VALUE);
        assertThat(rows.next()).isFalse();
      }
      try (ResultSet codec =
          query.executeQuery(
              "SELECT DISTINCT compression FROM parquet_metadata('" + table() + "')")) {
        assertThat(codec.next()).isTrue();
        assertThat(codec.getString(1)).isEqualTo("ZSTD");
      }
    }
  }

  @Test
  void a_table_of_nothing_has_its_columns() throws Exception {
    ParquetTable.create(table(), COLUMNS).close();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement query = duck.createStatement();
        ResultSet count = query.executeQuery("SELECT count(url) FROM '" + table() + "'")) {
      assertThat(count.next()).isTrue();
      assertThat(count.getLong(1)).isZero();
    }
  }

  @Test
  void a_long_table_is_written_in_groups() throws Exception {
    try (ParquetTable table = ParquetTable.create(table(), COLUMNS)) {
      SplittableRandom random = new SplittableRandom(1);
      byte[] noise = new byte[500];
      for (long number = 0; number < 50_000; number++) {
        random.nextBytes(noise);
        String text = HexFormat.of().formatHex(noise);
        table.write(row(text, number, null, null, null));
      }
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement query = duck.createStatement();
        ResultSet groups =
            query.executeQuery(
                "SELECT max(row_group_id), max(row_group_bytes) FROM parquet_metadata('"
                    + table()
                    + "')")) {
      assertThat(groups.next()).isTrue();
      assertThat(groups.getLong(1)).isGreaterThanOrEqualTo(1);
      assertThat(groups.getLong(2)).isLessThan(64L << 20);
    }
  }

  @Test
  void rows_that_duckdb_wrote_are_read_as_texts() throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement query = duck.createStatement()) {
      query.execute(
          "COPY (SELECT * FROM (VALUES ('https://a.example/', 'a', 1), ('https://b.example/',"
              + " NULL, 2)) t(url, caption, n)) TO '"
              + table()
              + "' (FORMAT parquet, COMPRESSION zstd)");
    }
    try (Stream<Map<String, String>> rows = ParquetRows.read(table())) {
      assertThat(rows)
          .containsExactly(
              Map.of("url", "https://a.example/", "caption", "a", "n", "1"),
              Map.of("url", "https://b.example/", "n", "2"));
    }
  }

  @Test
  void what_is_no_parquet_file_is_refused() throws IOException {
    Path file = Files.writeString(home.resolve("x"), "url\nhttps://a.example/\n");
    assertThatThrownBy(
            () -> {
              try (Stream<Map<String, String>> rows = ParquetRows.read(file)) {
                assertThat(rows).isEmpty();
              }
            })
        .isInstanceOf(IOException.class);
  }
}
