package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The example that is shipped, with all its settings switched on. */
class ExampleSettingsTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final Pattern TITLE = Pattern.compile("# --- (.*?) -+");
  private static final Pattern SETTING = Pattern.compile("#([a-z][a-z-]*):");

  /** What has no default shows how it is written. */
  private static final Set<String> EXAMPLES =
      Set.of(
          "contact",
          "user-agent",
          "drop-params",
          "max-depth",
          "include",
          "exclude",
          "seeds",
          "db",
          "out",
          "max-time",
          "metrics",
          "resolve",
          "proxy",
          "user",
          "header",
          "refusals-cancel-after",
          "cooldown",
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
    all.remove("domains"); // Its lines stand in its place.
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

  @Test
  void its_groups_are_those_of_config() throws IOException {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(example())) {
      Matcher title = TITLE.matcher(line);
      Matcher setting = SETTING.matcher(line);
      if (title.matches()) {
        names = new ArrayList<>();
        groups.put(title.group(1), names);
      } else if (setting.lookingAt()) {
        names.add(setting.group(1));
      }
    }
    assertThat(groups)
        .isEqualTo(
            SettingGroup.ALL.stream()
                .collect(Collectors.toMap(SettingGroup::title, SettingGroup::settings)));
    assertThat(groups.keySet())
        .containsExactlyElementsOf(SettingGroup.ALL.stream().map(SettingGroup::title).toList());
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
