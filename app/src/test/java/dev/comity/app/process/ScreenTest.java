package dev.comity.app.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.process.Terminal.Window;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String ERASE = "\r\u001b[J";
  private static final String END = System.lineSeparator();

  /** Both writers end on one terminal, so what matters is the order of the bytes. */
  private final StringWriter terminal = new StringWriter();

  private Window window = new Window(80, 24);
  private final Screen live = live(false);

  private Screen live(boolean bold) {
    return Screen.live(new PrintWriter(terminal), new PrintWriter(terminal), () -> window, bold);
  }

  private void paint(String... lines) {
    live.paint(_ -> List.of(lines));
  }

  private static String up(int rows) {
    return "\r\u001b[" + rows + "A\u001b[J";
  }

  private String taken() {
    String taken = terminal.toString();
    terminal.getBuffer().setLength(0);
    return taken;
  }

  @Test
  void without_a_terminal_there_are_lines_and_nothing_else() {
    Screen screen = Screen.of(new PrintWriter(terminal));
    screen.paint(_ -> List.of("working"));
    screen.line("one");
    screen.clear();
    screen.note("two");
    assertThat(screen.isLive()).isFalse();
    assertThat(terminal.toString()).isEqualTo("one" + END + "two" + END);
  }

  @Test
  void lines_may_be_given_another_shape() {
    Screen screen = Screen.shaped(new PrintWriter(terminal), words -> "<" + words + ">");
    screen.line("one");
    screen.asItIs("two");
    assertThat(terminal.toString()).isEqualTo("<one>" + END + "two" + END);
  }

  @Test
  void what_is_painted_is_painted_over_from_its_first_line() {
    paint("working", "on it", "still");
    assertThat(taken()).isEqualTo(ERASE + "working\non it\nstill\n");
    paint("done");
    assertThat(taken()).isEqualTo(up(3) + "done\n");
    paint("over");
    assertThat(taken()).isEqualTo(up(1) + "over\n");
  }

  @Test
  void a_line_that_stays_comes_above_with_the_next_painting() {
    live.line("zero");
    paint("working");
    live.line("one");
    assertThat(taken()).isEqualTo("zero" + END + ERASE + "working\n");
    paint("working on");
    assertThat(taken()).isEqualTo(up(1) + "one" + END + "working on\n");
  }

  @Test
  void once_cleared_nothing_painted_is_left_and_lines_wait_no_longer() {
    paint("working", "on it");
    live.line("one");
    taken();
    live.clear();
    assertThat(taken()).isEqualTo(up(2) + "one" + END);
    live.clear();
    live.line("two");
    assertThat(taken()).isEqualTo("two" + END);
  }

  @Test
  void more_notes_than_anybody_reads_are_counted_and_what_matters_stays() {
    paint("working");
    for (int number = 0; number < 1000; number++) {
      live.note("page " + number);
    }
    live.line("blocked");
    taken();
    paint("working");
    // The return before what is erased counts as the end of a line.
    assertThat(taken().lines())
        .hasSize(204)
        .contains("page 199", "blocked", "... and 800 more")
        .doesNotContain("page 200");
    live.note("next");
    paint("working");
    assertThat(taken()).contains("next" + END).doesNotContain("more");
  }

  @Test
  void a_line_is_cut_so_that_it_never_wraps() {
    paint("x".repeat(79), "x".repeat(80));
    assertThat(taken()).isEqualTo(ERASE + "x".repeat(79) + "\n" + "x".repeat(78) + "…\n");
  }

  @Test
  void in_a_window_made_narrower_what_was_painted_is_erased_where_it_wraps_now() {
    paint("x".repeat(60), "y".repeat(20));
    taken();
    window = new Window(40, 24);
    paint("done");
    // The first line takes two rows by now, so its beginning is three rows above the cursor.
    assertThat(taken()).isEqualTo(up(3) + "done\n");
  }

  @Test
  void the_first_line_stands_out_where_it_may() {
    live(true).paint(_ -> List.of("one", "two"));
    assertThat(taken()).isEqualTo(ERASE + "\u001b[1mone\u001b[m\ntwo\n");
  }

  @Test
  void in_a_low_window_the_row_of_the_cursor_stays_free() {
    window = new Window(80, 3);
    paint("one", "two", "three");
    assertThat(taken()).isEqualTo(ERASE + "one\ntwo\n");
    window = new Window(80, 1);
    paint("one");
    assertThat(taken()).isEqualTo(up(2));
  }

  @Test
  void whoever_has_the_terminal_meanwhile_finds_nothing_painted_and_keeps_what_they_write() {
    paint("working", "on it");
    taken();
    live.givenAway(() -> terminal.append("[1]+ Stopped\n"));
    paint("working");
    assertThat(taken()).isEqualTo(up(2) + "[1]+ Stopped\n" + ERASE + "working\n");
  }
}
