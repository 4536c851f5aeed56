package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one answer of a robots.txt may cost. */
class StepsTest {
  private static RobotsGroup read(String rules) {
    return (RobotsGroup) new RobotsTxt("Comity").read(Body.of("User-agent: *\n" + rules));
  }

  private static CrawlUrl url(String path) {
    return CrawlUrl.of("https://site.example" + path);
  }

  @Test
  void a_file_made_to_be_compared_for_ever_is_compared_so_far_and_allows_nothing_then() {
    RobotsGroup rules = read("Disallow:*b\n".repeat(RobotsTxt.LIMIT / 12) + "Allow: /\n");
    Steps steps = new Steps();
    CrawlUrl url = url("/" + "a".repeat(2_000));
    assertThat(rules.allows(url, steps)).isFalse();
    // The comparison that spends them is brought to its end.
    assertThat(steps.taken()).isBetween(Steps.MOST, Steps.MOST + 2 * 2_001);
  }

  @Test
  void a_large_file_of_a_real_kind_is_read_to_its_end() {
    String many =
        IntStream.range(0, 3_000)
            .mapToObj(n -> "Disallow: /*?*filter" + n + "=*&page=\n")
            .collect(Collectors.joining());
    RobotsGroup rules = read(many + "Disallow: /*/last\nAllow: /\n");
    Steps steps = new Steps();
    assertThat(rules.allows(url("/shop/?sort=" + "x".repeat(1_000)), steps)).isTrue();
    assertThat(steps.taken()).isLessThan(Steps.MOST / 2);
    assertThat(rules.allows(url("/shop/last?sort=" + "x".repeat(1_000)))).isFalse();
  }
}
