package dev.comity.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.policy.lifecycle.Lifecycle.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The picture in the docs is drawn from the table the code obeys. After a change of the table,
 * {@code mvn -pl core-tests -am verify -Dcomity.docs=write} draws it anew.
 */
class LifecycleDiagramTest {
  private static final Path PAGE = Path.of("..", "docs", "lifecycle.md");
  private static final String BEGIN = "<!-- drawn from the table: begin -->\n";
  private static final String END = "<!-- drawn from the table: end -->\n";

  @Test
  void the_diagram_in_the_docs_is_the_table_in_the_code() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int to = page.indexOf(END);
    String drawn = page.substring(0, from) + diagram() + page.substring(to);
    if ("write".equals(System.getProperty("comity.docs"))) {
      Files.writeString(PAGE, drawn);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(drawn);
  }

  /** One arrow a pair of states, with every door that leads along it. */
  private static String diagram() {
    Map<String, String> arrows = new TreeMap<>();
    for (Transition transition : Lifecycle.TABLE) {
      arrows.merge(
          "  " + name(transition.from()) + " --> " + name(transition.to()),
          lower(transition.cause().name()),
          (doors, door) -> doors + ", " + door);
    }
    return arrows.entrySet().stream()
        .map(arrow -> arrow.getKey() + ": " + arrow.getValue() + "\n")
        .collect(
            Collectors.joining("", "```mermaid\nstateDiagram-v2\n  [*] --> pending\n", "```\n"));
  }

  private static String name(DomainStatus status) {
    return lower(status.name());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
