package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {
  @ParameterizedTest
  @CsvSource({
    "/a, /abc, true",
    "/a$, /a, true",
    "/a$, /ab, false",
    "/*a$, /aba, true",
    "/*ab$, /abab, true",
    "/*ab*$, /xxabyy, true",
    "*, /, true",
    "*$, /x, true",
    "/*aab, /aaab, true",
    "/*abab*x, /abaababx, true",
    "/*abab*x, /abaabax, false",
    "/abc, /ab, false",
    "/a*bc*d$, /abcbcd, true",
  })
  void a_pattern_matches_by_prefix_stars_and_dollar(String pattern, String path, boolean matches) {
    assertThat(new PathPattern(pattern).matches(path)).isEqualTo(matches);
  }

  @Test
  void a_pattern_made_to_be_tried_in_every_way_looks_at_each_character_once() {
    CountedText path = new CountedText("/" + "a".repeat(2_000));
    PathPattern hostile = new PathPattern("/" + "*a".repeat(1_000) + "*b");
    assertThat(hostile.matches(path)).isFalse();
    assertThat(path.reads).isEqualTo(2_001);
  }

  @Test
  void a_long_piece_that_almost_matches_everywhere_looks_at_each_character_once() {
    CountedText path = new CountedText("/" + "a".repeat(2_000));
    PathPattern hostile = new PathPattern("/*" + "a".repeat(1_000) + "b");
    assertThat(hostile.matches(path)).isFalse();
    assertThat(path.reads).isEqualTo(2_001);
  }

  private static final class CountedText implements CharSequence {
    private final String text;
    private int reads;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      reads++;
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
