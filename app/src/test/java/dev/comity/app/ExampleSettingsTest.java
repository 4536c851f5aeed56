package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The example that is shipped, with all its settings switched on. */
class ExampleSettingsTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** What has no default shows how it is written. */
  private static final Set<String> EXAMPLES =
      Set.of(
          "contact",
          "max-depth",
          "include",
          "exclude",
          "seeds",
          "out",
          "max-time",
          "metrics-port",
          "resolve",
          "proxy",
          "user",
          "header",
          "refusals-cancel-after",
          "domains.example.org.delay",
          "domains.example.org.concurrency",
          "domains.example.org.max-pages-per-domain");

  @TempDir private Path home;

  @Test
  void as_it_is_shipped_it_changes_nothing() throws IOException {
    String shipped = Files.readString(example());
    Map<String, JsonNode> without = settings(new Setup(home));
    assertThat(settings(new Setup(home).file(shipped))).isEqualTo(without);
  }

  @Test
  void switched_on_it_names_every_setting_with_what_holds_anyway() throws IOException {
    Map<String, JsonNode> usual = settings(new Setup(home));
    List<String> lines =
        Files.readAllLines(example()).stream()
            .map(line -> line.replaceFirst("^#(?=[a-z]|  )", ""))
            .toList();
    Map<String, JsonNode> said = settings(new Setup(home).file(lines.toArray(String[]::new)));
    Set<String> all = new TreeSet<>(usual.keySet());
    all.addAll(EXAMPLES);
    assertThat(said.keySet()).isEqualTo(all);
    said.forEach(
        (name, setting) -> {
          assertThat(setting.get("from").stringValue()).as(name).startsWith("comity.yaml:");
          if (!EXAMPLES.contains(name)) {
            assertThat(setting.get("value"))
                .as(name)
                .isEqualTo(usual.getOrDefault(name, JSON.nullNode()).get("value"));
          }
        });
  }

  private static Map<String, JsonNode> settings(Setup setup) {
    Said said = setup.run("config", "--json");
    assertThat(said.err()).isEmpty();
    Map<String, JsonNode> settings = new TreeMap<>();
    said.out()
        .lines()
        .map(JSON::readTree)
        .forEach(line -> settings.put(line.get("name").stringValue(), line));
    return settings;
  }

  private static Path example() {
    Path here = Path.of("comity.example.yaml");
    return Files.exists(here) ? here : Path.of("..").resolve(here);
  }
}
