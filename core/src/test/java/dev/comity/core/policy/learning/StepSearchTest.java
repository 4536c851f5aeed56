package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.policy.support.Script;
import org.junit.jupiter.api.Test;

/** The plain rules: a second up with each refusal, a second down after twenty successes. */
class StepSearchTest {
  private final Script steps =
      new Script(
          PolicySettings.DEFAULTS.with(
              LearningSettings.DEFAULTS
                  .withStyle(ProbeStyle.STEP)
                  .withCancelAfter(Integer.MAX_VALUE)));

  @Test
  void a_refusal_adds_a_second_that_stays_and_a_refused_probe_is_a_hard_floor() {
    steps.times(3, REFUSED);
    steps.ask(OK);
    assertThat(steps.delay()).isEqualTo(seconds(4));
    steps.times(19, OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
    steps.times(40, OK);
    assertThat(steps.delay()).isEqualTo(seconds(2));
    steps.ask(REFUSED);
    steps.ask(OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
    assertThat(steps.state.learning().floor()).contains(seconds(3));
    steps.times(500, OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
  }

  @Test
  void nothing_is_tried_where_the_floor_leaves_no_room() {
    steps.times(2, REFUSED).times(21, OK).times(1, REFUSED).times(500, OK);
    assertThat(steps.state.learning().floor()).contains(seconds(3));
    assertThat(steps.delay()).isEqualTo(seconds(3));
    assertThat(steps.state.learning().probe()).isEmpty();
  }

  @Test
  void the_delay_ends_at_the_cap_and_an_incident_is_one() {
    steps.ask(REFUSED);
    assertThat(steps.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(steps.delay()).isEqualTo(seconds(2));
    for (int i = 0; i < 70; i++) {
      steps.ask(REFUSED);
      steps.ask(OK);
    }
    assertThat(steps.delay()).isEqualTo(seconds(60));
  }

  @Test
  void nineteen_successes_start_no_probe_and_a_404_is_none_of_them() {
    steps.ask(REFUSED);
    steps.times(19, OK).times(5, MISSING);
    assertThat(steps.state.learning().probe()).isEmpty();
    steps.ask(OK);
    assertThat(steps.state.learning().probe()).isPresent();
  }

  @Test
  void a_server_error_breaks_the_row_of_successes_and_ends_neither_incident_nor_probe() {
    steps.ask(REFUSED);
    steps.ask(BROKEN);
    assertThat(steps.state.learning().refusalsInARow()).isEqualTo(1);
    steps.times(15, OK).times(1, BROKEN).times(19, OK);
    assertThat(steps.state.learning().probe()).isEmpty();
    steps.times(11, OK).times(1, BROKEN).times(19, OK);
    assertThat(steps.state.learning().probe()).isPresent();
    steps.ask(OK);
    assertThat(steps.state.learning().probe()).isEmpty();
  }
}
