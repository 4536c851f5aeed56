package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.UrlRefusal.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UrlRefusalTest {

  @Test
  void a_message_names_the_thing_the_value_the_rule_and_the_fix() {
    assertThat(new UrlRefusal(Reason.PORT, "http://a:x/").message())
        .isEqualTo(
            "bad port in \"http://a:x/\": a port is a number from 1 to 65535;"
                + " correct it, or leave it out for the usual one");
    assertThat(new UrlRefusal(Reason.NOT_WEB, "ftp://a/").message())
        .isEqualTo("cannot crawl \"ftp://a/\": only http and https are crawled");
  }

  @Test
  void what_would_move_the_cursor_or_turn_the_text_is_shown_as_escapes() {
    assertThat(new UrlRefusal(Reason.NOT_WEB, "x:\n\u001b[1m\u202e\ud800é😀\u2028\"\\").message())
        .startsWith(
            "cannot crawl \"x:\\u000A\\u001B[1m\\u202E\\uD800é😀\\u2028\\\"\\\\\": only http");
  }

  @Test
  void a_long_input_is_cut_to_100_characters() {
    UrlRefusal refusal = new UrlRefusal(Reason.NOT_WEB, "data:" + "a".repeat(1 << 20));
    assertThat(refusal.input()).isEqualTo("data:" + "a".repeat(94) + "…").hasSize(100);
    assertThat(new UrlRefusal(Reason.NOT_WEB, refusal.input())).isEqualTo(refusal);
    String whole = "x:" + "a".repeat(98);
    assertThat(new UrlRefusal(Reason.NOT_WEB, whole).input()).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource({
    "http://user:secret@a:x/b, http://…@a:x/b",
    "http:user:secret@a:x, http:…@a:x",
    "http:\\\\user:secret@a:x, http:\\\\…@a:x",
    "ftp://user:secret@a/@b, ftp://…@a/@b",
    "http://se@cret@a:x, http://…@a:x",
    "secret@a:x, …@a:x",
    "@secret@a:x, …@a:x",
    "http://@a:x, http://@a:x",
    "http://a:x/@b, http://a:x/@b",
    "http://:80/, http://:80/",
  })
  void a_refusal_keeps_no_password(String input, String kept) {
    assertThat(new UrlRefusal(Reason.PORT, input).input()).isEqualTo(kept);
  }

  @ParameterizedTest
  @EnumSource
  void every_reason_has_a_rule_in_words(Reason reason) {
    assertThat(reason.rule()).contains(" ").doesNotEndWith(".");
  }
}
