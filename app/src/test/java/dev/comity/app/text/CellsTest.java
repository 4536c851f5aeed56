package dev.comity.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellsTest {
  @ParameterizedTest
  @CsvSource({
    "abc, 3",
    "×…─, 3",
    "日本, 4",
    "한국, 4",
    "Ａ, 2",
    "🦊, 2",
    "e\u0301, 1",
    "a\u200db, 2",
    "'', 0",
  })
  void some_characters_take_two_cells_and_some_none(String text, int cells) {
    assertThat(Cells.width(text)).isEqualTo(cells);
  }

  @ParameterizedTest
  @CsvSource({
    "abcdef, 6, abcdef",
    "abcdef, 5, abcd…",
    "日本語, 6, 日本語",
    "日本語, 5, 日本…",
    "日本語, 4, 日…",
    "日本語, 1, …",
    "🦊🦊, 3, 🦊…",
    "abc, 0, ''",
  })
  void text_is_cut_between_characters_and_never_too_wide(String text, int most, String cut) {
    assertThat(Cells.cut(text, most)).isEqualTo(cut);
    assertThat(Cells.width(cut)).isLessThanOrEqualTo(most);
  }

  @Test
  void blanks_fill_what_is_missing() {
    assertThat(Cells.padded("日本", 6)).isEqualTo("日本  ");
    assertThat(Cells.padded("abc", 2)).isEqualTo("abc");
  }
}
