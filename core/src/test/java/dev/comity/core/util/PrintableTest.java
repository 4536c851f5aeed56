package dev.comity.core.util;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

  @Test
  void what_could_move_a_terminal_is_an_escape_and_the_rest_stays() {
    assertThat(Printable.text("a\u001b[31m\u009b2J\r\n\u202e\u2028\u0085é 😀"))
        .isEqualTo("a\\u001B[31m\\u009B2J\\u000D\\u000A\\u202E\\u2028\\u0085é 😀");
  }

  @Test
  void half_a_pair_is_an_escape() {
    assertThat(Printable.text("x\ud83d")).isEqualTo("x\\uD83D");
  }

  @Test
  void a_quoted_text_cannot_close_its_quotes() {
    assertThat(Printable.quoted("say \"\\\u0007\"")).isEqualTo("\"say \\\"\\\\\\u0007\\\"\"");
  }

  @Test
  void a_long_text_is_cut_to_a_hundred_characters() {
    assertThat(Printable.cut("x".repeat(100))).isEqualTo("x".repeat(100));
    assertThat(Printable.cut("x".repeat(101))).isEqualTo("x".repeat(99) + "…");
  }
}
