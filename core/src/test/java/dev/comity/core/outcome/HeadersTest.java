package dev.comity.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadersTest {
  private static Headers of(String... namesAndValues) {
    Headers.Draft draft = new Headers.Draft();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      draft.add(namesAndValues[at], namesAndValues[at + 1]);
    }
    return draft.done();
  }

  @Test
  void case_does_not_matter() {
    Headers headers = of("CONTENT-type", "text/html");
    assertThat(headers.first("Content-Type")).contains("text/html");
    assertThat(headers.all("content-type")).containsExactly("text/html");
  }

  @Test
  void letters_that_are_no_ascii_are_others() {
    assertThat(of("tran\u017ffer-encod\u0131ng", "x").first("Transfer-Encoding")).isEmpty();
  }

  @Test
  void values_of_one_name_are_in_order_of_arrival() {
    Headers headers = of("a", "1", "B", "2", "A", "3", "a", "4");
    assertThat(headers.first("a")).contains("1");
    assertThat(headers.all("A")).containsExactly("1", "3", "4");
    assertThat(headers.all("b")).containsExactly("2");
  }

  @Test
  void a_value_is_no_name() {
    assertThat(of("a", "b", "c", "d").first("b")).isEmpty();
    assertThat(of("a", "b", "c", "d").all("d")).isEmpty();
  }

  @Test
  void names_of_a_map_that_differ_in_case_are_one() {
    Map<String, List<String>> map = new LinkedHashMap<>();
    map.put("A", List.of("1", "2"));
    map.put("b", List.of());
    map.put("a", List.of("3"));
    Headers headers = Headers.of(map);
    assertThat(headers.all("a")).containsExactly("1", "2", "3");
    assertThat(headers.first("b")).isEmpty();
  }

  @Test
  void nobody_changes_what_came() {
    Headers headers = of("a", "1");
    assertThatThrownBy(() -> headers.all("a").add("2"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void the_last_line_goes_on_and_without_one_nothing_does() {
    Headers.Draft draft = new Headers.Draft();
    draft.extend("lost");
    draft.add("a", "1");
    draft.add("a", "2");
    draft.extend("and 3");
    assertThat(draft.done().all("a")).containsExactly("1", "2 and 3");
  }

  @Test
  void elements_of_all_values_are_without_the_white_space_around_them() {
    Headers headers = of("a", "x , y", "b", "no", "a", "z", "a", ",\t", "a", "");
    assertThat(headers.elements("A")).containsExactly("x", "y", "z", "", "", "");
    assertThat(headers.elements("c")).isEmpty();
  }

  @Test
  void they_are_shown_by_name() {
    assertThat(of("b", "1", "A", "2", "B", "3")).hasToString("{a=[2], b=[1, 3]}");
    assertThat(Headers.NONE).hasToString("{}");
  }
}
