package dev.comity.core.trap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.trap.support.Walk;
import dev.comity.core.trap.support.Walk.Page;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages that bring nothing new, by what they were found on. */
class BegettersTest {
  private static final String GALLERY = "a gallery of pictures without a word to any of them";

  @Test
  void one_page_that_was_taken_for_barren_does_not_cost_all_it_lists() {
    Walk walk =
        Walk.of(
            target ->
                switch (target) {
                  case "/" -> Page.of("where it all begins", "/gallery/1", "/gallery/2");
                  case "/gallery/2" ->
                      new Page(
                          GALLERY,
                          IntStream.range(10, 310).mapToObj(n -> "/gallery/" + n).toList());
                  default -> Page.of(GALLERY);
                },
            1_000);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).hasSize(303);
  }

  @Test
  void a_page_that_brings_something_begins_the_count_anew() {
    Walk walk =
        Walk.of(
            target -> {
              int number = target.equals("/") ? 0 : Integer.parseInt(target.substring(3));
              String text = number == 65 ? "here is something nobody said before today" : GALLERY;
              return number == 140 ? Page.of(text) : Page.of(text, "/c/" + (number + 1));
            },
            1_000);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).hasSize(141);
  }
}
