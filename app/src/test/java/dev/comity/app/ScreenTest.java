package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String CLEAR = "\r\u001b[K";
  private static final String END = System.lineSeparator();

  /** Both writers end on one terminal, so what matters is the order of the bytes. */
  private final StringWriter terminal = new StringWriter();

  private final Screen live = new Screen(new PrintWriter(terminal), new PrintWriter(terminal), 80);

  @Test
  void without_a_terminal_there_are_lines_and_nothing_else() {
    StringWriter lines = new StringWriter();
    StringWriter status = new StringWriter();
    Screen screen = new Screen(new PrintWriter(lines), new PrintWriter(status), 0);
    screen.status("working");
    screen.line("one");
    screen.status("working on");
    screen.clear();
    screen.line("two");
    assertThat(screen.isLive()).isFalse();
    assertThat(lines.toString()).isEqualTo("one" + END + "two" + END);
    assertThat(status.toString()).isEmpty();
  }

  @Test
  void the_live_line_is_written_over() {
    live.status("working");
    live.status("done");
    assertThat(terminal.toString()).isEqualTo(CLEAR + "working" + CLEAR + "done");
  }

  @Test
  void a_line_that_stays_pushes_the_live_line_down() {
    live.status("working");
    live.line("one");
    assertThat(terminal.toString())
        .isEqualTo(CLEAR + "working" + CLEAR + "one" + END + CLEAR + "working");
  }

  @Test
  void once_cleared_nothing_of_the_live_line_is_left() {
    live.status("working");
    live.clear();
    live.clear();
    assertThat(terminal.toString()).isEqualTo(CLEAR + "working" + CLEAR);
    live.line("one");
    assertThat(terminal.toString()).endsWith(CLEAR + "one" + END + CLEAR);
  }

  @Test
  void the_live_line_is_cut_so_that_it_never_wraps() {
    live.status("x".repeat(79));
    assertThat(terminal.toString()).isEqualTo(CLEAR + "x".repeat(79));
    terminal.getBuffer().setLength(0);
    live.status("x".repeat(79) + "y");
    assertThat(terminal.toString()).isEqualTo(CLEAR + "x".repeat(79));
  }
}
