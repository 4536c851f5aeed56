package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/hostile.md promises a test for each row; a promise that can be looked up. */
class HostileTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW = Pattern.compile("\\| ([NHCRT]\\d+) \\|.*\\|([^|]*)\\|");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern TEST =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory)\\b");
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
    Map<String, String> sources = testSources();
    List<String> missing = new ArrayList<>();
    table()
        .forEach(
            (row, tests) ->
                tests.stream()
                    .filter(test -> !isTest(sources.getOrDefault(test.type(), ""), test.method()))
                    .forEach(test -> missing.add(row + ": " + test)));
    assertThat(missing).isEmpty();
  }

  private record Named(String type, String method) {}

  private static Map<String, List<Named>> table() throws IOException {
    Map<String, List<Named>> rows = new HashMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/hostile.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        List<Named> tests =
            NAMED
                .matcher(row.group(2))
                .results()
                .map(named -> new Named(named.group(1), named.group(2)))
                .toList();
        rows.put(row.group(1), tests);
      }
    }
    return rows;
  }

  /** Whether an annotation that makes a test stands in the paragraph of the method's head. */
  private static boolean isTest(String source, String method) {
    int head = source.indexOf(" " + method + "(");
    return head > 0
        && TEST.matcher(source.substring(source.lastIndexOf("\n\n", head), head)).find();
  }

  /** By class name. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("core", "testkit", "web", "store-jdbc", "core-tests", "app")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.merge(name, Files.readString(file), String::concat);
        }
      }
    }
    return sources;
  }
}
