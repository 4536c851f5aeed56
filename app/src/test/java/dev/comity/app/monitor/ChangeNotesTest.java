package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.process.Screen;
import dev.comity.app.process.Terminal.Window;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeNotesTest {
  private final StringWriter said = new StringWriter();
  private final PrintWriter out = new PrintWriter(said);
  private final ChangeNotes notes = new ChangeNotes(Screen.of(out), () -> NOON);

  @Test
  void a_wait_of_two_seconds_is_worth_a_line_once_for_each_reason() {
    notes.waiting(URL.domain(), NOON.plusMillis(1999), "resting");
    assertThat(said.toString()).isEmpty();
    notes.waiting(URL.domain(), NOON.plusSeconds(2), "resting");
    notes.waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString().lines())
        .containsExactly("site.example: waiting until 12:00:02 UTC (2.0 s): resting");
    notes.ended(URL.domain(), new Ending.Stopped());
    notes.waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString().lines()).hasSize(2);
  }

  @Test
  void a_long_delay_is_told_once_however_often_something_else_comes_between() {
    String delay = Turn.Why.DELAY.words();
    notes.waiting(URL.domain(), NOON.plusSeconds(5), delay);
    notes.waiting(URL.domain(), NOON.plusSeconds(10), "resting");
    notes.waiting(URL.domain(), NOON.plusSeconds(5), delay);
    notes.waiting(URL.domain(), NOON.plusSeconds(10), "resting");
    assertThat(said.toString().lines()).hasSize(2);
    notes.waiting(URL.domain(), NOON.plusSeconds(20), "resting for something else");
    assertThat(said.toString().lines()).hasSize(3);
  }

  @Test
  void where_there_is_a_live_view_it_says_so_already() {
    Screen live = Screen.live(out, out, () -> new Window(80, 24), false);
    new ChangeNotes(live, () -> NOON).waiting(URL.domain(), NOON.plusSeconds(40), "resting");
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void a_closed_domain_is_told_of_once_and_to_the_second() {
    Standing closed =
        new Standing(
            DomainStatus.UNREACHABLE,
            Optional.of(CloseReason.CONNECTION_FAILED),
            Optional.of(NOON),
            1);
    Screen screen = Screen.of(out);
    PageNotes pages = new PageNotes(screen);
    for (CrawlListener one : List.of(notes, pages)) {
      one.changed(URL.domain(), new Change.Closed(closed));
      one.ended(URL.domain(), new Ending.Closed(closed));
    }
    assertThat(said.toString().lines())
        .containsExactly(
            "site.example: unreachable (connection_failed) until 2026-11-01 12:00:00 UTC");
  }
}
