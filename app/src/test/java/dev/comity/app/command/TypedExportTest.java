package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.parquet.ParquetRows;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TypedExportTest {
  @TempDir private Path home;

  private static Map<String, String> flat(JsonNode line) {
    Map<String, String> values = new TreeMap<>();
    line.properties()
        .forEach(
            entry -> {
              JsonNode value = entry.getValue();
              String text = value.isContainer() ? value.toString() : value.asString();
              boolean isTime =
                  entry.getKey().endsWith("_at")
                      || List.of("until", "not_before").contains(entry.getKey());
              values.put(
                  entry.getKey(),
                  isTime ? Long.toString(Instant.parse(text).toEpochMilli()) : text);
            });
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pages", "images", "domains", "log", "failed"})
  void every_row_and_value_is_that_of_json(String what) throws IOException {
    Shelf shelf = Shelf.small(home.resolve("data"));
    shelf.run("UPDATE domain_frontier SET state = 3 WHERE id = 1");
    Path json = home.resolve("rows.jsonl");
    Path parquet = home.resolve("rows.parquet");
    assertThat(shelf.said("export", what, "--out", json.toString()).code()).isZero();
    Said said = shelf.said("export", what, "--out", parquet.toString());
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    List<Map<String, String>> expected = new ArrayList<>();
    for (String line : Files.readAllLines(json)) {
      expected.add(flat(new JsonMapper().readTree(line)));
    }
    try (Stream<Map<String, String>> rows = ParquetRows.read(parquet)) {
      assertThat(rows.map(row -> (Map<String, String>) new TreeMap<>(row)).toList())
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pages", "images", "domains", "log", "failed"})
  void another_reader_agrees_row_by_row(String what) throws Exception {
    String data = "--data=" + home.resolve("data");
    ByteArrayOutputStream picture = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(200, 100, BufferedImage.TYPE_INT_RGB), "png", picture);
    try (Site site =
        Site.open()
            .robots("User-agent: *", "Disallow: /private")
            .reply(
                "/",
                Replies.html(
                    "<title>Ä, \"quoted\"</title><img src=/a.png alt=one><p>words"
                        + "<a href=/gone>gone</a><a href=/private>private</a>"))
            .reply("/a.png", Replies.ok("image/png", picture.toByteArray()))) {
      Said crawled =
          Commands.run("crawl", site.url("/"), data, "--delay=0", "--images", "--keep=html,links");
      assertThat(crawled.code()).as(crawled.err()).isZero();
    }
    Path json = home.resolve("rows.jsonl");
    Path parquet = home.resolve("rows.parquet");
    assertThat(Commands.run("export", what, data, "--out", json.toString()).code()).isZero();
    assertThat(Commands.run("export", what, data, "--out", parquet.toString()).code()).isZero();
    List<Map<String, String>> expected = new ArrayList<>();
    for (String line : Files.readAllLines(json)) {
      expected.add(flat(new JsonMapper().readTree(line)));
    }
    assertThat(expected).isNotEmpty();
    assertThat(readByDuckDb(parquet)).isEqualTo(expected);
  }

  private static List<Map<String, String>> readByDuckDb(Path parquet) throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT * FROM read_parquet('%s')".formatted(parquet))) {
      ResultSetMetaData columns = found.getMetaData();
      while (found.next()) {
        Map<String, String> row = new TreeMap<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
          String value = found.getString(column);
          if (value != null) {
            boolean isTime = columns.getColumnTypeName(column).startsWith("TIMESTAMP");
            row.put(
                columns.getColumnName(column),
                isTime
                    ? Long.toString(
                        found.getObject(column, OffsetDateTime.class).toInstant().toEpochMilli())
                    : value);
          }
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void a_parquet_file_needs_a_name() {
    Said said = Shelf.small(home).said("export", "pages", "--format", "parquet");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("a Parquet file needs a name: say it with --out pages.parquet");
  }
}
