package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.RetryAfter;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RobotsTxtTest {
  private static final CrawlUrl PAGE = CrawlUrl.of("https://site.example/page");

  private final RobotsTxt reader = new RobotsTxt("Comity");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.5, 500",
    "10, 10000",
    "1.001, 1001",
    "0.0001, 1",
    ".25, 250",
    "3., 3000",
    "1e3, 1000000",
    "86400, 86400000",
    "1e9, 1000000000000"
  })
  void a_crawl_delay_is_kept_as_asked(String written, long millis) {
    assertThat(delayOf(written)).contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "NaN", "1s", "", "Infinity", "0x10", "1d", "1,5", "ten", "1e", "--"})
  void a_crawl_delay_that_is_no_number_is_ignored(String written) {
    assertThat(delayOf(written)).isEmpty();
  }

  @Test
  void a_crawl_delay_beyond_all_bounds_is_as_long_as_a_wait_can_be() {
    assertThat(delayOf("1e300")).contains(RetryAfter.LONGEST);
    assertThat(delayOf("9".repeat(10_000))).contains(RetryAfter.LONGEST);
    assertThat(delayOf("1e999999999")).contains(RetryAfter.LONGEST);
  }

  @Test
  void a_long_crawl_delay_forbids_nothing() {
    assertThat(read("User-agent: *\nCrawl-delay: 1000000\nDisallow: /x\n").allows(PAGE)).isTrue();
  }

  @Test
  void our_own_group_brings_its_own_delay_or_none() {
    String everyone = "User-agent: *\nCrawl-delay: 10\n\n";
    assertThat(read(everyone + "User-agent: Comity\nCrawl-delay: 2\n").crawlDelay())
        .contains(Duration.ofSeconds(2));
    assertThat(read(everyone + "User-agent: Comity\nDisallow: /x\n").crawlDelay()).isEmpty();
  }

  @Test
  void of_two_delays_the_longer_holds() {
    assertThat(read("User-agent: *\nCrawl-delay: 7\nCrawl-delay: 3\n").crawlDelay())
        .contains(Duration.ofSeconds(7));
  }

  @Test
  void the_file_counts_up_to_500_KiB_and_a_line_cut_there_does_not() {
    String rules = "User-agent: *\nDisallow: /page\nAllow: /page";
    String comments = "#" + "x".repeat(RobotsTxt.LIMIT - rules.length() - 2) + "\n";
    assertThat(read(comments + rules + "/deeper/still\n").allows(PAGE)).isFalse();
    assertThat(read(comments.substring(1) + rules + "\n").allows(PAGE)).isTrue();
  }

  @Test
  void a_file_that_is_one_endless_line_says_nothing() {
    assertThat(read("User-agent: *" + "\0".repeat(RobotsTxt.LIMIT)).allows(PAGE)).isTrue();
  }

  @Test
  void sixteen_bit_text_is_read_by_its_byte_order_mark() {
    byte[] bytes = "\uFEFFUser-agent: *\nDisallow: /ü\n".getBytes(StandardCharsets.UTF_16LE);
    RobotsRules rules = reader.read(Body.of(bytes));
    assertThat(rules.allows(CrawlUrl.of("https://site.example/%C3%BC"))).isFalse();
    assertThat(rules.allows(PAGE)).isTrue();
  }

  @Test
  void any_bytes_at_all_give_rules() {
    Random random = new Random(9309);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[random.nextInt(2_000)];
      random.nextBytes(bytes);
      byte[] head = "User-agent: *\nDisallow: /page\nDisallow: ".getBytes(StandardCharsets.UTF_8);
      byte[] all = new byte[head.length + bytes.length];
      System.arraycopy(head, 0, all, 0, head.length);
      System.arraycopy(bytes, 0, all, head.length, bytes.length);
      assertThat(reader.read(Body.of(all)).allows(CrawlUrl.of("https://site.example/page/1")))
          .isFalse();
    }
  }

  @Test
  void sitemaps_belong_to_no_group_and_to_everyone() {
    RobotsRules rules =
        read(
            """
            Sitemap: https://site.example/1.xml
            User-agent: other
            SITEMAP:/2.xml # ours
            Disallow: /
            User-agent: *
            site-map: https://site.example/ü.xml
            sitemap:
            Disallow: /page
            """);
    assertThat(rules.sitemaps())
        .containsExactly("https://site.example/1.xml", "/2.xml", "https://site.example/ü.xml");
    assertThat(rules.allows(PAGE)).isFalse();
  }

  @Test
  void of_sitemaps_without_end_a_hundred_are_taken() {
    assertThat(read("Sitemap: /x\n".repeat(1000)).sitemaps()).hasSize(100);
    assertThat(read("Sitemap: /" + "x".repeat(3000)).sitemaps()).isEmpty();
  }

  @Test
  void a_token_must_be_one() {
    assertThatThrownBy(() -> new RobotsTxt("*")).isInstanceOf(IllegalArgumentException.class);
  }

  private RobotsRules read(String text) {
    return reader.read(Body.of(text));
  }

  private Optional<Duration> delayOf(String written) {
    return read("User-agent: *\nCrawl-delay: " + written + "\n").crawlDelay();
  }
}
