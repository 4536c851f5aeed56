package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A setting that is gone is refused wherever it is still set, and named with its fix. */
class GoneSettingsTest {
  @TempDir private Path home;
  private Setup setup;

  @BeforeEach
  void anew() {
    setup = new Setup(home);
  }

  @Test
  void a_key_of_a_file_is_refused_with_what_holds_now_and_its_line() {
    setup.file("delay: 1s", "learning-step: 2s");
    for (String command : new String[] {"config", "domains"}) {
      Said said = setup.run(command);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .startsWith(
              "comity: learning-step is gone: it is always 1s; leave it out (comity.yaml, line 2)");
    }
    setup.file("cooldown-forbidden: 2d");
    assertThat(setup.run("crawl", "http://127.0.0.1:9/").err())
        .startsWith(
            "comity: cooldown-forbidden is gone: it is 14d unless `cooldown` sets times for all"
                + " reasons (comity.yaml, line 1)");
    setup.file("learning-pardons: 3");
    assertThat(setup.run("config").err())
        .startsWith(
            "comity: learning-pardons is gone: it was 3 in a rule of learning that is replaced;"
                + " leave it out (comity.yaml, line 1)");
  }

  @Test
  void a_variable_is_refused_too() {
    setup.variable("COMITY_MAX_REDIRECTS", "9");
    Said said = setup.run("config");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .startsWith(
            "comity: max-redirects is gone: it is always 5; leave it out (environment"
                + " COMITY_MAX_REDIRECTS)");
  }

  @Test
  void a_flag_is_refused_too_and_nothing_else_is_suggested() {
    for (String flag : new String[] {"--metrics-port=1", "--metrics-port"}) {
      Said said = setup.run("crawl", "http://127.0.0.1:9/", flag);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err().lines())
          .containsExactly(
              "comity: metrics-port is gone: write `metrics: 9464` or `--metrics 9464`, with your"
                  + " port",
              "Try: comity crawl --help");
    }
  }

  @Test
  void nothing_is_both_gone_and_a_setting_and_every_one_says_what_to_do() {
    for (String name : GoneSettings.names()) {
      assertThat(SettingGroup.options()).doesNotContain(name);
      assertThat(GoneSettings.words(name).orElseThrow())
          .startsWith(name + " is gone: ")
          .containsAnyOf("leave it out", "write `", "only a flag", "unless `", "always");
      assertThat(setup.file(name + ": 1").run("config").err())
          .startsWith("comity: " + name + " is gone: ");
    }
    assertThat(GoneSettings.names()).hasSize(68);
    assertThat(GoneSettings.words("delay")).isEmpty();
  }

  @Test
  void config_says_it_of_a_name_it_is_asked_for() {
    assertThat(setup.run("config", "max-ahead").err())
        .startsWith(
            "comity: max-ahead is gone: it is 50000, or 100 for each of `max-in-flight` if that is"
                + " more; leave it out");
  }
}
