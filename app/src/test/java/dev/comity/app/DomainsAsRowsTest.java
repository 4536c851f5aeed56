package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.DocumentedTests;
import dev.comity.app.support.DocumentedTests.NamedTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of docs/domains-as-rows.md promise a test for each row. */
class DomainsAsRowsTest {
  /** Eight demands, nine types, nine questions, two of the architecture. */
  private static final int ROWS = 28;

  private static List<String> rows() throws IOException {
    return Files.readAllLines(Path.of("../docs/domains-as-rows.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.endsWith("| test |"))
        .toList();
  }

  private static List<NamedTest> tests(String row) {
    String cells = row.substring(0, row.length() - 1);
    return DocumentedTests.named(cells.substring(cells.lastIndexOf('|')));
  }

  @Test
  void every_row_names_a_test() throws IOException {
    assertThat(rows()).hasSize(ROWS).allMatch(row -> !tests(row).isEmpty());
  }

  @Test
  void every_test_it_names_is_there_and_runs() throws IOException {
    DocumentedTests tests = DocumentedTests.read();
    assertThat(rows().stream().flatMap(row -> tests(row).stream())).allMatch(tests::has);
    assertThat(tests.has(new NamedTest("BackfillTest", "a_test_that_nobody_wrote"))).isFalse();
  }
}
