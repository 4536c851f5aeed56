package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Purpose;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageRulesTest {

  @ParameterizedTest
  @CsvSource({
    "/, USAGE_NO_TRAINING",
    "/a, USAGE_NO_TRAINING",
    "/open/, PERMITS_TRAINING",
    "/open/x, PERMITS_TRAINING",
    "/open/shut.png, USAGE_NO_AI",
  })
  void the_longest_path_of_content_usage_decides(String path, String signals) {
    String file =
        """
        User-agent: *
        Content-Usage: train-ai=n
        Content-Usage: /open/ train-ai=y
        content-usage: /*.png$ ai-use=n
        Content-Usage: /open/*.png$ ai-use=n
        Allow: /
        """;
    assertThat(signals(read(file), path)).isEqualTo(signals);
  }

  @Test
  void lines_of_equal_length_and_of_the_other_form_add_up() {
    String file =
        """
        User-agent: *
        Content-Usage: /a/b train-ai=y
        Content-Usage: /a/* train-ai=n
        Content-Signal: search=yes,ai-train=no
        License: https://site.example/license.xml
        """;
    assertThat(signals(read(file), "/a/b"))
        .isEqualTo("PERMITS_TRAINING USAGE_NO_TRAINING PERMITS_SEARCH SIGNAL_NO_TRAINING RECORDED");
    assertThat(signals(read(file), "/c")).isEqualTo("PERMITS_SEARCH SIGNAL_NO_TRAINING RECORDED");
  }

  @Test
  void the_group_that_names_us_counts_alone() {
    String file =
        """
        User-agent: *
        Content-Signal: ai-train=no

        User-agent: otherbot
        Content-Signal: search=no
        Disallow: /

        User-agent: comity
        Content-Signal: ai-input=no
        Disallow: /x
        """;
    assertThat(signals(read(file), "/")).isEqualTo("SIGNAL_NO_AI_INPUT");
  }

  @Test
  void a_line_before_every_agent_is_for_all_robots() {
    String rest = "User-agent: comity\nDisallow: /x\n";
    assertThat(signals(read("Content-Signal: ai-train=no\n" + rest), "/"))
        .isEqualTo("SIGNAL_NO_TRAINING");
    assertThat(signals(read("Content-Signal: ai-train=no\n"), "/")).isEqualTo("SIGNAL_NO_TRAINING");
  }

  @Test
  void these_lines_end_no_list_of_agents() {
    RobotsRules rules =
        read("User-agent: comity\nContent-Signal: ai-train=no\nUser-agent: b\nDisallow: /x\n");
    assertThat(rules.allows(CrawlUrl.of("https://site.example/x"))).isFalse();
    assertThat(signals(rules, "/x")).isEqualTo("SIGNAL_NO_TRAINING");
  }

  @Test
  void the_reason_is_in_words() {
    assertThat(
            read("User-agent: *\nContent-Usage: /p train-ai=n")
                .wishes(CrawlUrl.of("https://site.example/p?q"))
                .refusalOfPage(Set.of(Purpose.TRAIN_AI)))
        .hasToString(
            "Optional[refused for train-ai: robots.txt says \"Content-Usage: train-ai=n\"]");
  }

  @ParameterizedTest
  @CsvSource({"''", "/", "*", "/ ", "'/\t'", "/a train-ai=", "train-ai", "\u0000", "(((("})
  void a_broken_line_refuses_nothing(String value) {
    RobotsRules rules = read("User-agent: *\nContent-Usage: " + value + "\nDisallow: /x");
    CrawlUrl url = CrawlUrl.of("https://site.example/a");
    assertThat(rules.wishes(url).refusalOfPage(Set.of(Purpose.values()))).isEmpty();
    assertThat(rules.allows(CrawlUrl.of("https://site.example/x"))).isFalse();
  }

  @Test
  void a_file_of_nothing_but_stars_is_answered_and_counts_as_a_refusal() {
    StringBuilder file = new StringBuilder("User-agent: *\n");
    for (int line = 0; line < 2_000; line++) {
      file.append("Content-Usage: ").append("/*a".repeat(80)).append("b train-ai=n\n");
    }
    CrawlUrl url = CrawlUrl.of("https://site.example/" + "/aa".repeat(9_000));
    assertThat(read(file.toString()).wishes(url).refusalOfPage(Set.of(Purpose.TRAIN_AI)))
        .isPresent();
  }

  private static String signals(RobotsRules rules, String path) {
    return rules.wishes(CrawlUrl.of("https://site.example" + path)).all().stream()
        .map(wish -> wish.signal().name())
        .collect(Collectors.joining(" "));
  }

  private static RobotsRules read(String file) {
    return new RobotsTxt("Comity").read(Body.of(file.getBytes(StandardCharsets.UTF_8)));
  }
}
