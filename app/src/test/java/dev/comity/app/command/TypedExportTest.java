package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.parquet.ParquetRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
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

  @Test
  void a_parquet_file_needs_a_name() {
    Said said = Shelf.small(home).said("export", "pages", "--format", "parquet");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("a Parquet file needs a name: say it with --out pages.parquet");
  }
}
