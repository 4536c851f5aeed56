package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.settings.SettingGroup;
import dev.comity.app.settings.Variables;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ConfigTest {
  @TempDir private Path home;
  private Setup setup;

  @BeforeEach
  void anew() {
    setup = new Setup(home);
  }

  private void holds(String name, String value, String from, String... flags) {
    JsonNode setting = setup.setting(name, flags);
    assertThat(setting.get("value").stringValue()).isEqualTo(value);
    assertThat(setting.get("from").stringValue()).isEqualTo(from);
  }

  @Test
  void a_flag_goes_before_the_environment_that_before_the_file_that_before_what_is_built_in() {
    holds("delay", "1s", "default");
    setup.file("# mine", "", "delay: 5s", "max-pages: 7");
    holds("delay", "5s", "comity.yaml:3");
    setup.variable("COMITY_DELAY", "200ms");
    holds("delay", "200ms", "environment COMITY_DELAY");
    holds("delay", "1d", "flag --delay", "--delay", "24h");
    holds("max-pages", "7", "comity.yaml:4");
  }

  @Test
  void the_file_may_be_named_by_a_flag_or_the_environment() {
    setup
        .file("delay: 5s")
        .fileNamed("other.yaml", "delay: 6s")
        .fileNamed("third.yaml", "delay: 7s");
    setup.variable("COMITY_CONFIG", "other.yaml");
    holds("delay", "6s", "other.yaml:1");
    holds("delay", "7s", "third.yaml:1", "--config", "third.yaml");
    assertThat(setup.run("config", "--config", "none.yaml"))
        .matches(
            said ->
                said.code() == 2
                    && said.err().startsWith("comity: config is none.yaml, but cannot be read"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delay | 1500ms | 1500ms",
        "delay | 0 | 0s",
        "page-limit | 2MiB | 2MiB",
        "page-limit | 2MB | 2000000B",
        "sitemaps | no | false",
        "ephemeral | on | true",
        "max-depth | 3 | 3",
        "latency-factor | 1.5 | 1.5",
        "scope | ANY | any",
        "probe | step | step",
        "data | here/there | here/there",
        "contact | you@example.org | you@example.org",
      })
  void values_are_read_as_what_they_are(String name, String written, String read) {
    setup.file(name + ": " + written);
    holds(name, read, "comity.yaml:1");
  }

  @Test
  void lists_are_lists_in_the_file_and_lines_in_the_environment() {
    setup.file("include:", "  - /docs/", "  - \"a,b: c\"", "cooldown: [1m, 2h]");
    assertThat(setup.setting("include").get("value").toString())
        .isEqualTo("[\"/docs/\",\"a,b: c\"]");
    assertThat(setup.setting("cooldown").get("value").toString()).isEqualTo("[\"1m\",\"2h\"]");
    setup.variable("COMITY_INCLUDE", "x\n y,z \n\n");
    assertThat(setup.setting("include").get("value").toString()).isEqualTo("[\"x\",\"y,z\"]");
    assertThat(setup.setting("include", "--include", "w").get("value").stringValue())
        .isEqualTo("w");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dely: 1s | no such setting: dely; did you mean delay? (comity.yaml, line 2)",
        "colour: red | no such setting: colour; `comity config` lists all there are (comity.yaml,"
            + " line 2)",
        "json: true | no such setting: json; `comity config` lists all there are (comity.yaml, line"
            + " 2)",
        "again: true | no such setting: again; `comity config` lists all there are (comity.yaml,"
            + " line 2)",
        "delay: soon | delay: 'soon' is not a duration; write one like 500ms, 2s, 1.5s, 10m or 1h"
            + " (comity.yaml, line 2)",
        "delay: [1s] | delay: it is one value, not a list (comity.yaml, line 2)",
        "delay: | delay has no value: write one, or leave the line out (comity.yaml, line 2)",
        "max-pages: many | max-pages: 'many' is not a whole number (comity.yaml, line 2)",
        "max-pages: 0 | max-pages is 0, but must be at least 1 (comity.yaml, line 2)",
        "retries: -1 | retries is -1, but must be at least 0 (comity.yaml, line 2)",
        "connect-timeout: 2d | connect-timeout is 2d, but must lie between 1ms and 1d (comity.yaml,"
            + " line 2)",
        "learning-cap: 999ms | learning-cap is 999ms, but must not be shorter than 1s, which is"
            + " what each refusal adds (comity.yaml, line 2)",
        "max-rate: -1 | max-rate is -1.0, but must be from 0.001 to 1000000 requests a second; 0"
            + " means no limit (comity.yaml, line 2)",
        "latency-factor: NaN | latency-factor is NaN, but must be from 0 to 1000 (comity.yaml,"
            + " line 2)",
        "metrics: example.org:1 | metrics is example.org:1, but must be a port from 0 to 65535,"
            + " with an IP address of this machine before it or none: 9464, 127.0.0.1:9464, or"
            + " 0.0.0.0:9464 for all of its addresses (comity.yaml, line 2)",
        "max-time: 0s | max-time is 0.0 s, but must be more than 0 (comity.yaml, line 2)",
        "page-limit: 3GB | page-limit: '3GB' is no size below 2 GiB; write one like 10MiB, 500KiB"
            + " or 2MB (comity.yaml, line 2)",
        "sitemaps: perhaps | sitemaps: 'perhaps' is neither true nor false; write one of the two"
            + " (comity.yaml, line 2)",
        "scope: world | scope: 'world' is none of subtree, host, domain, seeds, any (comity.yaml,"
            + " line 2)",
        "contact: nobody | contact: a contact is a URL (https://…) or a mail address, without"
            + " spaces or parentheses: nobody (comity.yaml, line 2)",
        "delay: {a: b} | delay is one value, or a list (comity.yaml, line 2)",
        "delay: &a 1s | anchors are not understood (comity.yaml, line 2)",
        "delay: *a | aliases are not understood; write the value again (comity.yaml, line 2)",
        "delay: !!java.io.File 1s | tags are not understood (comity.yaml, line 2)",
        "max-depth: 1 | max-depth stands in line 1 already (comity.yaml, line 2)",
        "domains: 3 | domains holds `name: value` lines, indented below it (comity.yaml, line 2)",
        "domains: {a.example: {dely: 1s}} | no such setting for a domain: dely, for a.example;"
            + " there are concurrency, delay, max-pages-per-domain (comity.yaml, line 2)",
        "domains: {a.example: {delay: soon}} | delay for a.example: 'soon' is not a duration; write"
            + " one like 500ms, 2s, 1.5s, 10m or 1h (comity.yaml, line 2)",
        "domains: {a.example: {concurrency: 0}} | concurrency for a.example is 0, but must be a"
            + " whole number from 1 on (comity.yaml, line 2)",
      })
  void what_makes_no_sense_is_named_with_its_line(String line, String words) {
    setup.file("max-depth: 2", line);
    Said said = setup.run("config");
    assertThat(said.err().lines()).containsExactly("comity: " + words, "Try: comity config --help");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.out()).isEmpty();
    assertThat(setup.run("crawl", "http://127.0.0.1:9/").err()).startsWith("comity: " + words);
  }

  @Test
  void what_is_no_file_of_settings_is_refused() {
    refused("not YAML: ", "a: [", "b");
    refused("settings are written as `name: value`, one a line (comity.yaml, line 1)", "- delay");
    refused("there is more than one document in it (comity.yaml, line 2)", "delay: 1s", "---", "a");
    refused("config is comity.yaml, but has more than 1 MiB", "#".repeat(1 << 20), "");
    refused("it is nested too deeply (comity.yaml, line 1)", "a: " + "[".repeat(99_000));
    refused("a name is a single word (comity.yaml, line 1)", "{a: b}: c");
    assertThat(setup.file("# nothing").run("config").code()).isZero();
    assertThat(setup.file("").run("config").code()).isZero();
  }

  private void refused(String words, String... lines) {
    Said said = setup.file(lines).run("config");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: " + words);
  }

  @Test
  void a_wrong_variable_is_named_and_an_empty_one_is_none() {
    setup.variable("COMITY_DELAY", " ");
    holds("delay", "1s", "default");
    setup.variable("COMITY_DELAY", "soon");
    assertThat(setup.run("config").err())
        .startsWith("comity: delay: 'soon' is not a duration;")
        .contains(" (environment COMITY_DELAY)");
  }

  @Test
  void names_of_other_crawlers_are_understood_and_ours_go_before_them() {
    setup.variable("ENABLE_DOMAIN_TRACKING", "false").variable("ENABLE_PER_DOMAIN_BUDGET", "FALSE");
    setup.variable("BBB_JOB_FAILURE_THRESHOLD", "7").variable("DEFAULT_MIN_SCRAPE_INTERVAL", "2.5");
    setup.variable("ENABLE_SMART_SCHEDULING", "false");
    setup.variable("DOMAIN_CANONICALIZATION_STRIP_SUBDOMAINS", "true");
    setup.file("ephemeral: false");
    holds("ephemeral", "true", "environment ENABLE_DOMAIN_TRACKING");
    holds("per-domain-budget", "false", "environment ENABLE_PER_DOMAIN_BUDGET");
    holds("smart-scheduling", "false", "environment ENABLE_SMART_SCHEDULING");
    holds("strip-subdomains", "true", "environment DOMAIN_CANONICALIZATION_STRIP_SUBDOMAINS");
    holds("job-fails-after", "7", "environment BBB_JOB_FAILURE_THRESHOLD");
    holds("delay", "2500ms", "environment DEFAULT_MIN_SCRAPE_INTERVAL");
    setup.variable("DEFAULT_MIN_SCRAPE_INTERVAL", "-1");
    holds("delay", "0s", "environment DEFAULT_MIN_SCRAPE_INTERVAL");
    setup.variable("COMITY_DELAY", "3s");
    holds("delay", "3s", "environment COMITY_DELAY");
    setup.variable("ENABLE_DOMAIN_TRACKING", "perhaps");
    assertThat(setup.run("config").err())
        .contains("'perhaps' is neither true nor false")
        .contains("(environment ENABLE_DOMAIN_TRACKING)");
  }

  @Test
  void what_has_no_effect_is_said_so_on_standard_error() {
    setup.variable("ENABLE_REFRESH_MODE", "true").variable("COMITY_DELY", "3s");
    setup.variable("COMITY_AOT", "off");
    Said said = setup.run("config");
    assertThat(said.code()).isZero();
    assertThat(said.err().lines())
        .containsExactly(
            "comity: COMITY_DELY has no effect: no such setting; did you mean COMITY_DELAY?");
  }

  @Test
  void secrets_are_masked_wherever_they_come_from() {
    setup.file("user: [\"example.com=me:Geheim1\"]", "proxy: http://me:Geheim2@proxy.example:3128");
    setup.variable("COMITY_HEADER", "example.com=X-Key: Geheim3");
    assertThat(setup.run("config").out() + setup.run("config", "--json").out())
        .doesNotContain("Geheim")
        .contains("example.com=***")
        .contains("example.com=X-Key:***")
        .contains("http://***@proxy.example:3128");
  }

  @Test
  void a_setting_has_name_value_and_origin_in_a_line_and_its_meaning_below() {
    setup.file("domains:", "  www.Example.org:", "    delay: 5s");
    Said said = setup.run("config", "--max-pages", "9");
    assertThat(said.out())
        .contains(
            "domains.example.org.delay: 5s (comity.yaml:3)\n    delay for this domain alone\n")
        .contains("max-pages: 9 (flag --max-pages)\n    Stop after this many pages.\n")
        .contains("max-depth: unset (default)\n    Follow links at most this far")
        .contains("page-limit: 10MiB (default)\n    How many bytes");
  }

  @Test
  void settings_are_grouped_as_in_the_example() {
    assertThat(setup.run("config").out().lines().filter(line -> line.startsWith("---")))
        .containsExactly(
            "--- contact ---",
            "--- scope and pace ---",
            "--- input and output ---",
            "--- network ---",
            "--- refusals and failures ---",
            "--- limits of this machine ---",
            "--- single domains ---");
    assertThat(setup.setting("lease").get("group").stringValue())
        .isEqualTo("limits of this machine");
  }

  @Test
  void one_setting_is_explained_with_all_the_ways_to_set_it() {
    setup.variable("BBB_JOB_FAILURE_THRESHOLD", "7");
    String explained =
        """
        job-fails-after: 7 (environment BBB_JOB_FAILURE_THRESHOLD)
            Different URLs failing in a row, retried or not, that end a domain's job.
            default:     20
            in a file:   job-fails-after: 7
            as a flag:   --job-fails-after N
            environment: COMITY_JOB_FAILS_AFTER
                     or: BBB_JOB_FAILURE_THRESHOLD
        """;
    for (String name :
        new String[] {"job-fails-after", "COMITY_JOB_FAILS_AFTER", "BBB_JOB_FAILURE_THRESHOLD"}) {
      assertThat(setup.run("config", name).out()).isEqualTo(explained);
    }
    assertThat(setup.run("config", "job-fails-after", "--json").out().lines())
        .containsExactly(
            "{\"name\":\"job-fails-after\",\"group\":\"refusals and failures\","
                + "\"value\":\"7\",\"default\":\"20\","
                + "\"from\":\"environment BBB_JOB_FAILURE_THRESHOLD\","
                + "\"flag\":\"--job-fails-after N\",\"environment\":\"COMITY_JOB_FAILS_AFTER\","
                + "\"aliases\":[\"BBB_JOB_FAILURE_THRESHOLD\"],"
                + "\"meaning\":\"Different URLs failing in a row, retried or not, that end a"
                + " domain's job.\"}");
  }

  @Test
  void every_setting_can_be_explained_in_eighty_columns_with_its_default() {
    setup.file("sitemaps: false", "page-limit: 1MiB", "cooldown: [1h, 2d]");
    for (String name : SettingGroup.options()) {
      Said said = setup.run("config", name);
      assertThat(said.code()).as(name).isZero();
      assertThat(said.out().lines())
          .as(name)
          .allMatch(line -> line.length() <= 80)
          .contains("    environment: " + Variables.nameOf(name));
    }
    assertThat(setup.run("config", "sitemaps").out())
        .startsWith("sitemaps: false (comity.yaml:1)\n")
        .contains("\n    default:     true\n", "\n    as a flag:   --sitemaps\n");
    assertThat(setup.run("config", "page-limit").out()).contains("\n    default:     10MiB\n");
    assertThat(setup.run("config", "cooldown").out())
        .contains("\n    default:     unset\n", "\n    in a file:   cooldown: [1h, 2d]\n");
    assertThat(setup.run("config", "domains").out())
        .startsWith("domains: unset (default)\n")
        .contains("\n    in a file:   domains: {example.org: {delay: 5s}}\n");
  }

  @Test
  void a_name_that_no_setting_has_gets_the_nearest() {
    Said said = setup.run("config", "max-page");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: no such setting: max-page; did you mean max-pages?");
    assertThat(said.out()).isEmpty();
  }

  @Test
  void no_line_is_longer_than_eighty_columns_where_there_is_no_terminal() {
    setup.file("include: [/" + "long".repeat(50) + "/]", "contact: me@example.org");
    Said said = setup.run("config");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(said.out().replace("\n    ", "")).contains("/" + "long".repeat(50) + "/");
  }

  @Test
  void a_domain_that_stands_twice_in_other_words_is_refused() {
    refused(
        "domains: www.example.org is example.org, which stands there already (comity.yaml, line 3)",
        "domains:",
        "  example.org: {delay: 1s}",
        "  www.example.org: {delay: 2s}");
    refused("domains: bad host in \"a b\": ", "domains:", "  'a b': {delay: 1s}");
  }
}
