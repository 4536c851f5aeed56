package dev.comity.app;

import static dev.comity.app.Settled.NOON;
import static dev.comity.app.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.Terminal.Window;
import dev.comity.core.port.Ending;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ChangeNotesTest {
  private final StringWriter said = new StringWriter();
  private final PrintWriter out = new PrintWriter(said);
  private final ChangeNotes notes = new ChangeNotes(Screen.of(out), () -> NOON);

  @Test
  void a_wait_of_ten_seconds_is_worth_a_line_once_for_each_reason() {
    notes.waiting(URL.domain(), NOON.plusMillis(9999), "resting");
    assertThat(said.toString()).isEmpty();
    notes.waiting(URL.domain(), NOON.plusSeconds(10), "resting");
    notes.waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString().lines())
        .containsExactly("site.example: waiting until 12:00:10 UTC (10 s): resting");
    notes.ended(URL.domain(), new Ending.Stopped());
    notes.waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString().lines()).hasSize(2);
  }

  @Test
  void where_there_is_a_live_view_it_says_so_already() {
    Screen live = Screen.live(out, out, () -> new Window(80, 24), false);
    new ChangeNotes(live, () -> NOON).waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString()).isEmpty();
  }
}
