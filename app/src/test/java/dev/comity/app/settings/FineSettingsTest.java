package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.Main;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What holds for every setting that hardly anybody sets. */
class FineSettingsTest {
  /** What is neither a number, nor a time, nor a size, or may be any. */
  private static final Set<String> NOT_FINE =
      Set.of("delay", "max-depth", "max-time", "scope", "images", "log-format", "refresh");

  @TempDir private Path home;
  private Setup setup;

  @BeforeEach
  void anew() {
    setup = new Setup(home);
  }

  private static Map<String, OptionSpec> numbers() {
    Map<String, OptionSpec> numbers = new TreeMap<>();
    Configuration.settings(Main.commandLine().getCommandSpec())
        .forEach(
            (name, option) -> {
              boolean text = List.of("String", "Path", "boolean").contains(kind(option));
              if (!text && !option.isMultiValue() && !NOT_FINE.contains(name)) {
                numbers.put(name, option);
              }
            });
    numbers.remove("probe");
    return numbers;
  }

  private static String kind(OptionSpec option) {
    return option.type().getSimpleName();
  }

  @Test
  void nonsense_is_refused_with_the_name_the_value_the_rule_and_the_place() {
    Map<String, OptionSpec> numbers = numbers();
    assertThat(numbers).hasSizeGreaterThan(15);
    numbers.forEach(
        (name, option) -> {
          boolean zeroIsOdd = kind(option).equals("Duration") || name.endsWith("-limit");
          String value = zeroIsOdd ? "0" : "-1";
          Said said = setup.file(name + ": " + value).run("config");
          assertThat(said.code()).as(name).isEqualTo(2);
          assertThat(said.err().lines().findFirst().orElseThrow())
              .as(name)
              .startsWith("comity: " + name)
              .contains(value)
              .contains("must ")
              .endsWith("(comity.yaml, line 1)");
        });
  }

  @Test
  void there_are_no_more_than_a_person_can_read() {
    List<String> all =
        SettingGroup.ALL.stream().flatMap(group -> group.settings().stream()).toList();
    assertThat(all).hasSize(51).doesNotHaveDuplicates();
  }

  @Test
  void every_option_of_config_that_does_not_say_how_it_answers_is_a_setting() {
    Set<String> options = new TreeSet<>();
    for (OptionSpec option : config().options()) {
      options.add(option.longestName().substring(2));
    }
    options.removeAll(Set.of("help", "version", "json", "config"));
    assertThat(options).isEqualTo(new TreeSet<>(SettingGroup.options()));
    Set<String> ofCrawl = new TreeSet<>();
    crawl().options().forEach(option -> ofCrawl.add(option.longestName().substring(2)));
    assertThat(ofCrawl).containsAll(options);
  }

  private static CommandSpec config() {
    return Objects.requireNonNull(Main.commandLine().getSubcommands().get("config"))
        .getCommandSpec();
  }

  private static CommandSpec crawl() {
    return Objects.requireNonNull(Main.commandLine().getSubcommands().get("crawl"))
        .getCommandSpec();
  }

  @Test
  void a_lease_is_long_enough_to_be_renewed() {
    assertThat(setup.file("lease: 3s").run("config").code()).isZero();
    assertThat(setup.file("lease: 2s").run("config").err())
        .startsWith("comity: lease is 2s, but must lie between 3s and 1d");
  }

  @Test
  void every_one_can_be_set_in_the_environment_and_by_flag() {
    setup.variable("COMITY_LEARNING_CAP", "2m");
    assertThat(setup.setting("learning-cap").get("value").stringValue()).isEqualTo("2m");
    assertThat(setup.setting("learning-cap", "--learning-cap", "90s").get("value").stringValue())
        .isEqualTo("90s");
  }

  @Test
  void help_has_no_more_than_people_read() {
    assertThat(setup.run("crawl", "--help").out())
        .contains("--barren-pages", "(default: 100)")
        .doesNotContain("--learning-cap")
        .doesNotContain("--max-rate");
  }
}
