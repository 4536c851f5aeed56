package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.DocumentedTests;
import dev.comity.app.support.DocumentedTests.NamedTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of docs/hostile.md promises a test for each row; a promise that can be looked up. */
class HostileTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW = Pattern.compile("\\| ([NHCRT]\\d+) \\|.*\\|([^|]*)\\|");
  private static final Map<String, Integer> ROWS = Map.of("N", 8, "H", 14, "C", 8, "R", 8, "T", 6);

  @Test
  void every_row_names_a_test() throws IOException {
    Set<String> held = new TreeSet<>();
    table().forEach((row, tests) -> held.add(tests.isEmpty() ? row + " without a test" : row));
    Set<String> wanted = new TreeSet<>();
    ROWS.forEach(
        (letter, count) ->
            IntStream.rangeClosed(1, count).forEach(number -> wanted.add(letter + number)));
    assertThat(held).isEqualTo(wanted);
  }

  @Test
  void every_test_it_names_is_there_and_runs() throws IOException {
    DocumentedTests tests = DocumentedTests.read();
    List<String> missing = new ArrayList<>();
    table()
        .forEach(
            (row, named) ->
                named.stream()
                    .filter(test -> !tests.has(test))
                    .forEach(test -> missing.add(row + ": " + test)));
    assertThat(missing).isEmpty();
  }

  private static Map<String, List<NamedTest>> table() throws IOException {
    Map<String, List<NamedTest>> rows = new HashMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/hostile.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.put(row.group(1), DocumentedTests.named(row.group(2)));
      }
    }
    return rows;
  }
}
