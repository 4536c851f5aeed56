package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.store.StoreDamaged;
import dev.comity.store.support.States;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedStateTest {

  @Test
  void a_form_of_the_future_names_itself_and_who_can_read_it() {
    assertThatThrownBy(() -> DomainStateJson.decode("{\"v\":3,\"slots\":[]}"))
        .isInstanceOf(StoreDamaged.class)
        .hasMessage(
            "a domain's state is in form 3, and form 2 is the newest known; open the data directory"
                + " with the version of Comity that wrote it, or a newer one; it reads:"
                + " {\"v\":3,\"slots\":[]}");
  }

  @Test
  void damage_is_named_with_its_place_and_what_to_do() {
    assertThatThrownBy(() -> DomainStateJson.decode("{\"v\":1,\"slots\":{\"last_start\":null}}"))
        .isInstanceOf(StoreDamaged.class)
        .hasMessage(
            "a domain's state cannot be read: no whole number at /slots/last_start;"
                + " `comity domain-reset NAME` mends it; it reads:"
                + " {\"v\":1,\"slots\":{\"last_start\":null}}");
  }

  @Test
  void what_was_read_is_shown_on_one_line_and_not_at_length() {
    String hostile = "\u001b[2J\r\n\u202e\\ü" + "x".repeat(1_000);
    assertThatThrownBy(() -> DomainStateJson.decode(hostile))
        .isInstanceOf(StoreDamaged.class)
        .hasMessage(
            "a domain's state cannot be read: it goes wrong at character 0; `comity"
                + " domain-reset NAME` mends it; it reads:"
                + " \\u001B[2J\\u000D\\u000A\\u202E\\\\\\u00FC"
                + "x".repeat(191)
                + "…");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "1",
        "[]",
        "{}",
        "x",
        "{\"v\":1}}",
        "{\"v\":1}{\"v\":1}",
        "{\"v\":1} x",
        "{\"slots\":{},\"v\":1}",
        "{\"v\":\"1\"}",
        "{\"v\":1.0}",
        "{\"v\":99999999999}",
        "{\"v\":1,}",
        "{'v':1}",
        "{\"v\":1,\"newer\":[}",
      })
  void what_is_no_such_text_is_damage(String text) {
    assertThatThrownBy(() -> DomainStateJson.decode(text)).isInstanceOf(StoreDamaged.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "slots":null                           | no object at /slots
          "slots":[]                             | no object at /slots
          "slots":{"why":"because"}              | no Why of that name at /slots/why
          "slots":{"why":"DELAY"}                | no Why of that name at /slots/why
          "slots":{"why":1}                      | no text at /slots/why
          "slots":{"last_start":1.5}             | no whole number at /slots/last_start
          "slots":{"last_start":"1"}             | no whole number at /slots/last_start
          "slots":{"last_start":9223372036854775808} | it goes wrong at character
          "standing":{"status":"lost"}           | no DomainStatus of that name at /standing/status
          "standing":{"setbacks":2147483648}     | it goes wrong at character
          "limits":{"concurrency":0}             | concurrency must be at least 1
          "learning":{"probe":{"retry":1}}       | neither true nor false at /learning/probe/retry
          "learning":{"evidence":{"shown":{"noise":{"share":"a"}}}} | no number at /learning/evidence/shown/noise/share
          "failures":{"streak":{}}               | no list at /failures/streak
          "failures":{"streak":[1]}              | no object at /failures/streak/0
          "failures":{"streak":[{"category":"timeout"}]} | no url at /failures/streak/0
          "failures":{"streak":[{"url":"http://a.example/"}]} | no category at /failures/streak/0
          "failures":{"streak":[{"url":"ftp://a.example/"}]} | only http and https are crawled
          "failures":{"recent":[1,null]}         | no whole number at /failures/recent/1
          "heard":{"by":"http://a.example/b"}    | no authority at /heard/by
          "heard":{"by":"a.example"}             | a URL starts with http:// or https://
          """)
  void a_value_that_cannot_be_is_damage(String part, String why) {
    assertThatThrownBy(() -> DomainStateJson.decode("{\"v\":1," + part + "}"))
        .isInstanceOf(StoreDamaged.class)
        .hasMessageStartingWith("a domain's state cannot be read: ")
        .hasMessageContaining(why);
  }

  @Test
  void a_text_cut_off_anywhere_is_damage() {
    String whole = DomainStateJson.encode(States.full());
    for (int end = 0; end < whole.length(); end++) {
      String cut = whole.substring(0, end);
      assertThatThrownBy(() -> DomainStateJson.decode(cut))
          .as(cut)
          .isInstanceOf(StoreDamaged.class);
    }
  }

  @Test
  void any_other_character_anywhere_is_read_as_a_state_or_as_damage() {
    String whole = DomainStateJson.encode(States.full());
    int damaged = 0;
    for (int at = 0; at < whole.length(); at++) {
      for (char other : new char[] {'"', '{', '}', ',', '0', '-', '\0', 'ü', '\ud800'}) {
        try {
          DomainState read =
              DomainStateJson.decode(whole.substring(0, at) + other + whole.substring(at + 1));
          assertThat(read).isEqualTo(DomainStateJson.decode(DomainStateJson.encode(read)));
        } catch (StoreDamaged _) {
          damaged++;
        }
      }
    }
    assertThat(damaged).isGreaterThan(whole.length());
  }
}
