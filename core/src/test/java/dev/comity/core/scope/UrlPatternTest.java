package dev.comity.core.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlPatternTest {

  @ParameterizedTest
  @CsvSource({
    "/blog/, http://example.com/blog/1, true",
    "^https:, http://example.com/, false",
    "\\.pdf$, http://example.com/a.pdf, true",
    "\\.pdf$, http://example.com/a.pdf?x, false",
    "(?i)\\.PDF$, http://example.com/a.pdf, true",
  })
  void a_pattern_matches_if_it_is_found_anywhere(String pattern, String url, boolean matches) {
    assertThat(UrlPattern.of(pattern).matches(CrawlUrl.of(url))).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "a(b, 1, a parenthesis is not closed",
    "(a)\\)(b, 5, a parenthesis is not closed",
    "((a)([)]), 0, a parenthesis is not closed",
    "[(]a), 4, a parenthesis is closed that was not opened",
    "a[b, 1, a bracket is not closed",
    "*.pdf, 0, there is nothing before it to repeat",
    "ab++, 2, a repetition is repeated",
    "'a{2,1}', 1, 'a count is at most 1000, the smaller one first'",
    "ab\\, 2, a backslash escapes nothing",
    "(a)\\1, 3, there is no such escape; back-references do not exist here",
    "a(?!b), 1, 'look-around does not exist here, because matching takes linear time'",
    "((a{1000}){1000}), 3, its repeat counts multiply to more than 10000",
    "((a{100}){100}){2}, 3, its repeat counts multiply to more than 10000",
  })
  void a_bad_pattern_is_refused_with_its_place(String pattern, int position, String rule) {
    PatternRefusal refusal = (PatternRefusal) UrlPattern.parse(pattern);
    assertThat(refusal.pattern()).isEqualTo(pattern);
    assertThat(refusal.position()).isEqualTo(position);
    assertThat(refusal.rule()).isEqualTo(rule);
    assertThat(refusal.fix()).isNotBlank();
  }

  @Test
  void the_message_says_what_to_do() {
    assertThat(((PatternRefusal) UrlPattern.parse("*.pdf")).message())
        .isEqualTo(
            "bad pattern \"*.pdf\" at character 1: there is nothing before it to repeat;"
                + " write .* for any text, or escape it with \\");
  }

  @Test
  void repeat_counts_may_multiply_to_ten_thousand() {
    assertThat(UrlPattern.parse("a{100}b{100}")).isInstanceOf(UrlPattern.class);
  }

  @Test
  void patterns_are_equal_if_they_are_written_alike() {
    UrlPattern pattern = UrlPattern.of("/blog/");
    assertThat(pattern)
        .hasToString("/blog/")
        .isEqualTo(UrlPattern.of("/blog/"))
        .hasSameHashCodeAs(UrlPattern.of("/blog/"))
        .isNotEqualTo(UrlPattern.of("/news/"))
        .isNotEqualTo("/blog/");
  }

  @Test
  void patterns_that_would_exhaust_the_machine_are_refused_uncompiled() {
    assertThat(UrlPattern.parse("(".repeat(250_000) + ")".repeat(250_000)))
        .isInstanceOf(PatternRefusal.class);
    assertThat(UrlPattern.parse("(".repeat(250) + ")".repeat(250))).isInstanceOf(UrlPattern.class);
    assertThat(UrlPattern.parse("(((a{999}){999}){999}){999}")).isInstanceOf(PatternRefusal.class);
    assertThat(UrlPattern.parse("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"))
        .isInstanceOf(UrlPattern.class);
  }

  /** Each of these takes a backtracking matcher longer than there is time. */
  @ParameterizedTest
  @Timeout(60)
  @ValueSource(
      strings = {
        "(a*)*b",
        "(a|aa)+$",
        "(a?){100}a{100}b",
        "([a-z]+)*!",
        "^(.*?,){50}x",
        "(.*)(.*)(.*)(.*)b"
      })
  void a_pattern_made_to_be_tried_in_every_way_ends(String pattern) {
    CrawlUrl url = CrawlUrl.of("http://e.example/" + "a".repeat(30_000));
    assertThat(UrlPattern.of(pattern + "~").matches(url)).isFalse();
  }
}
