package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.settings.LearningSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one refusal, one end of an incident or one success changes, each on its own. */
class SearchLessonsTest {
  private static final Duration BASE = seconds(0.2);
  private static final Instant EMPTY = START.plusSeconds(100);

  private final BracketSearch search = new BracketSearch(LearningSettings.DEFAULTS);
  private final LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);

  SearchLessonsTest() {
    draft.learned = seconds(1.03);
    draft.floor = Optional.of(seconds(1.03));
    draft.refused = Optional.of(seconds(1));
    draft.emptyAt = START;
    draft.openSince = START.plusSeconds(2);
    draft.burst = 1;
  }

  // A refusal.

  @Test
  void a_refused_probe_goes_back_to_where_it_came_from() {
    probe(1.01, false);
    search.refused(draft, attempt(1.01), BASE);
    assertThat(draft.incident.orElseThrow().taught()).isEqualTo(seconds(1.03));
    assertThat(draft.probe).isPresent();
    assertThat(draft.learned).isEqualTo(seconds(2.01));
  }

  @Test
  void a_probe_that_noise_may_have_refused_goes_on() {
    draft.noise = Noise.found(0.05);
    probe(1.01, false);
    search.refused(draft, attempt(1.01), BASE);
    assertThat(draft.incident.orElseThrow().taught()).isEqualTo(seconds(1.01));
  }

  @Test
  void a_longer_delay_on_trial_goes_on() {
    draft.begin(seconds(2.06), new Probe(seconds(1.03), false, true, 200, 0));
    search.refused(draft, attempt(2.06), BASE);
    assertThat(draft.incident.orElseThrow().taught()).isEqualTo(seconds(2.06));
  }

  @Test
  void a_refusal_from_before_the_probe_ends_it() {
    probe(1.01, false);
    search.refused(draft, attempt(1.03), BASE);
    assertThat(draft.probe).isEmpty();
    assertThat(draft.incident.orElseThrow().taught()).isEqualTo(seconds(1.03));
  }

  @Test
  void a_refusal_adds_a_second_up_to_the_cap_and_takes_none_away() {
    search.refused(draft, attempt(59), BASE);
    assertThat(draft.learned).isEqualTo(seconds(60));
    search.refused(draft, attempt(59.5), BASE);
    assertThat(draft.learned).isEqualTo(seconds(60));
    draft.learned = seconds(80);
    search.refused(draft, attempt(80), BASE);
    assertThat(draft.learned).isEqualTo(seconds(80));
  }

  // The end of an incident.

  @Test
  void an_incident_without_times_teaches_nothing() {
    draft.emptyAt = Evidence.NEVER;
    end(over(1.03, 1, 50));
    assertThat(draft.floor).contains(seconds(1.03));
    assertThat(draft.spent).isZero();
    assertThat(draft.openSince).isEqualTo(EMPTY.plusSeconds(2));
  }

  @Test
  void refusals_before_anything_was_served_teach_nothing() {
    draft.floor = Optional.empty();
    draft.refused = Optional.empty();
    end(over(1, 1, 0));
    assertThat(draft.floor).isEmpty();
    end(over(1, 1, 1));
    assertThat(draft.floor).isPresent();
  }

  @Test
  void a_delay_on_trial_that_is_longer_than_what_was_known_to_suffice_stays_in_order() {
    probe(1.01, true);
    end(over(2, 1, 50));
    assertThat(draft.refused).contains(seconds(1.029));
  }

  @Test
  void a_refused_retry_moves_nothing_and_says_what_it_cost() {
    probe(1, true);
    draft.row = 40;
    draft.lasted = 30;
    draft.strides = 2;
    end(over(1, 2, 50));
    assertThat(draft.learned).isEqualTo(seconds(1.03));
    assertThat(draft.floor).contains(seconds(1.03));
    assertThat(draft.refused).contains(seconds(1));
    assertThat(draft.probe).isEmpty();
    assertThat(draft.cost).isEqualTo(2);
    assertThat(draft.lasted).isEqualTo(40);
    assertThat(draft.strides).isZero();
    assertThat(draft.spent).isEqualTo(2);
    probe(1, true);
    draft.row = 10;
    end(over(1, 1, 50));
    assertThat(draft.lasted).isEqualTo(40);
    assertThat(draft.cost).isEqualTo(1);
  }

  @Test
  void in_noise_a_refused_probe_raises_what_is_refused_and_what_is_long_enough() {
    draft.noise = Noise.found(0.05);
    draft.refused = Optional.of(seconds(0.8));
    draft.tries = 3;
    draft.searched = 60;
    draft.cost = 1;
    probe(1, false);
    draft.noise = draft.noise.paid(8);
    draft.row = 7;
    end(over(1, 1, 50));
    assertThat(draft.refused).contains(seconds(1));
    assertThat(draft.floor).contains(seconds(1.061)); // 1.06 times that, and a millisecond.
    assertThat(draft.learned).isEqualTo(seconds(1.061));
    assertThat(draft.cost).isEqualTo(1);
    assertThat(draft.lasted).isEqualTo(7);
    assertThat(draft.tries).isZero();
    assertThat(draft.noise.credit()).isEqualTo(8);
  }

  @Test
  void in_noise_the_search_goes_on_where_a_refused_probe_leaves_room() {
    draft.noise = Noise.found(0.05);
    draft.floor = Optional.of(seconds(2));
    draft.refused = Optional.empty();
    probe(0.5, false);
    draft.noise = draft.noise.paid(8);
    end(over(0.5, 1, 50));
    assertThat(draft.probe).isPresent();
    assertThat(draft.learned).isBetween(seconds(0.5), seconds(2));
    draft.floor = Optional.of(seconds(2));
    probe(0.5, true);
    draft.noise = draft.noise.paid(8);
    end(over(0.5, 3, 50));
    assertThat(draft.probe).isEmpty();
    assertThat(draft.cost).isEqualTo(2); // A retry in noise is made half as often.
  }

  @Test
  void noise_that_is_paid_for_changes_no_delay() {
    draft.noise = Noise.found(0.05);
    end(over(1.03, 2, 20));
    assertThat(draft.learned).isEqualTo(seconds(1.03));
    assertThat(draft.noise.credit()).isEqualTo(6);
    assertThat(draft.tries).isEqualTo(2);
    assertThat(draft.spent).isZero();
  }

  @Test
  void a_share_of_noise_is_counted_anew_after_thirty_two_refusals() {
    noisy(0.02, 31, 1_600);
    end(over(1.03, 1, 50));
    assertThat(draft.tries).isZero();
    assertThat(draft.probe).isEmpty();
    noisy(0.02, 30, 1_600);
    end(over(1.03, 1, 50));
    assertThat(draft.tries).isEqualTo(31);
    noisy(0.02, 31, 1_600);
    draft.guessed = true;
    end(over(1.03, 1, 50));
    assertThat(draft.tries).isEqualTo(32);
  }

  @Test
  void a_settled_delay_that_is_refused_clearly_more_often_than_noise_is_compared_with_a_longer() {
    noisy(0.01, 31, 1_550);
    end(over(1.03, 1, 50)); // 32 in 1,600, and 16 were to be expected.
    assertThat(draft.probe.orElseThrow().slower()).isTrue();
    assertThat(draft.learned).isEqualTo(seconds(1.288));
    assertThat(draft.tries).isEqualTo(32);
  }

  private void noisy(double share, int tries, int searched) {
    draft.noise = Noise.found(share);
    draft.tries = tries;
    draft.searched = searched;
    draft.probe = Optional.empty();
    draft.learned = seconds(1.03);
  }

  @Test
  void a_longer_delay_that_is_refused_much_more_often_begins_another_search() {
    draft.tries = 7;
    draft.searched = 2_843;
    draft.against = 2;
    draft.begin(seconds(2.06), new Probe(seconds(1.03), false, true, 200, 5));
    draft.row = 34;
    end(over(2.06, 1, 6));
    assertThat(draft.probe).map(Probe::slower).isNotEqualTo(Optional.of(true));
    assertThat(draft.noise).isEqualTo(Noise.NONE);
    assertThat(draft.against).isZero();
    assertThat(draft.refused.orElseThrow()).isGreaterThanOrEqualTo(seconds(2.06));
    assertThat(draft.floor.orElseThrow()).isGreaterThan(seconds(2.06));
  }

  @Test
  void a_longer_delay_that_is_refused_alike_ends_the_comparison() {
    draft.tries = 6;
    draft.searched = 120;
    draft.begin(seconds(2.06), new Probe(seconds(1.03), false, true, 200, 4));
    draft.row = 120;
    end(over(2.06, 1, 20));
    assertThat(draft.probe.orElseThrow().refusals()).isEqualTo(5);
    assertThat(draft.learned).isEqualTo(seconds(2.06));
    end(over(2.06, 1, 20));
    assertThat(draft.noise.share()).isPositive();
    assertThat(draft.probe.orElseThrow().slower()).isFalse(); // The base is tried first.
    assertThat(draft.learned).isEqualTo(BASE);
  }

  // A success.

  @Test
  void a_comparison_that_has_served_enough_is_decided() {
    draft.tries = 6;
    draft.searched = 120;
    draft.begin(seconds(2.06), new Probe(seconds(1.03), false, true, 200, 1));
    draft.row = 200;
    search.held(draft, BASE);
    assertThat(draft.refused).contains(seconds(1.03));
    assertThat(draft.probe).isPresent();
    assertThat(draft.probe.orElseThrow().slower()).isFalse();
  }

  @Test
  void a_retry_that_stands_forgets_what_was_refused_and_what_it_cost() {
    probe(1, true);
    draft.row = 2;
    draft.cost = 3;
    draft.tries = 4;
    draft.spent = 5;
    draft.lasted = 100;
    search.held(draft, BASE);
    assertThat(draft.refused).isEmpty();
    assertThat(draft.floor).contains(seconds(1));
    assertThat(draft.cost).isZero();
    assertThat(draft.tries).isZero();
    assertThat(draft.spent).isZero();
    assertThat(draft.lasted).isEqualTo(25);
    assertThat(draft.learned).isBetween(seconds(0.943), seconds(0.944));
    draft.row = draft.probe.orElseThrow().needed();
    search.held(draft, BASE);
    assertThat(draft.lasted).isEqualTo(6);
    assertThat(draft.strides).isEqualTo(1);
  }

  @Test
  void a_probe_that_stands_in_noise_counts_anew_and_is_a_guess() {
    draft.noise = Noise.found(0.05);
    draft.tries = 4;
    probe(1.01, false);
    draft.noise = draft.noise.paid(3);
    draft.row = 2;
    search.held(draft, BASE);
    assertThat(draft.guessed).isTrue();
    assertThat(draft.tries).isZero();
    assertThat(draft.noise.credit()).isEqualTo(8);
  }

  @Test
  void a_probe_that_stands_is_long_enough_and_no_guess() {
    probe(1.01, false);
    draft.guessed = true;
    draft.tries = 4;
    draft.row = 2;
    search.held(draft, BASE);
    assertThat(draft.floor).contains(seconds(1.01));
    assertThat(draft.guessed).isFalse();
    assertThat(draft.tries).isEqualTo(4);
    assertThat(draft.row).isZero();
  }

  @Test
  void a_state_of_an_older_store_takes_its_delay_to_be_long_enough() {
    draft.floor = Optional.empty();
    draft.learned = seconds(1);
    search.held(draft, BASE);
    assertThat(draft.floor).contains(seconds(1));
    assertThat(draft.refused).contains(seconds(0.999));
    draft.floor = Optional.of(seconds(2));
    search.held(draft, BASE);
    assertThat(draft.floor).contains(seconds(1));
    draft.floor = Optional.of(seconds(0.9));
    search.held(draft, BASE);
    assertThat(draft.floor).contains(seconds(0.9));
  }

  @Test
  void two_thousand_successes_end_a_search() {
    draft.cost = 2;
    draft.spent = 3;
    draft.tries = 4;
    draft.row = 1_999;
    search.held(draft, BASE);
    assertThat(draft.spent).isEqualTo(3);
    draft.row = 2_000;
    search.held(draft, BASE);
    assertThat(draft.spent).isZero();
    assertThat(draft.tries).isZero();
    draft.tries = 4;
    draft.noise = Noise.found(0.0001);
    search.held(draft, BASE);
    assertThat(draft.tries).isEqualTo(4);
  }

  @Test
  void a_guessed_share_is_measured_before_the_refused_delay_is_tried() {
    draft.noise = Noise.found(0.05);
    draft.row = 2_000;
    draft.guessed = true;
    search.held(draft, BASE);
    assertThat(draft.probe.orElseThrow().slower()).isTrue();
    draft.leaveProbe();
    draft.row = 2_000;
    draft.guessed = false;
    search.held(draft, BASE);
    assertThat(draft.probe.orElseThrow().retry()).isTrue();
  }

  @Test
  void nothing_shorter_than_what_is_set_is_tried() {
    draft.row = 2_000;
    search.held(draft, seconds(1.03));
    assertThat(draft.probe).isEmpty();
    search.held(draft, seconds(1.029));
    assertThat(draft.probe).isPresent();
    draft.leaveProbe();
    draft.refused = Optional.of(seconds(0.5));
    draft.row = 2_000;
    search.held(draft, seconds(1.029));
    assertThat(draft.learned).isEqualTo(seconds(1.029));
    assertThat(draft.probe).isPresent();
  }

  @Test
  void more_than_two_thousand_were_no_burst() {
    draft.floor = Optional.empty();
    draft.emptyAt = EMPTY;
    end(first(1_999));
    assertThat(draft.burst).isEqualTo(100); // As many as were started in a hundred seconds.
    assertThat(draft.burstDelay).isCloseTo(seconds(1), Duration.ofMillis(1));
    draft.burst = 7;
    draft.floor = Optional.empty();
    end(first(2_000));
    assertThat(draft.burst).isEqualTo(7);
  }

  private static Incident first(int served) {
    return new Incident(
        1, seconds(1), seconds(1), Evidence.NEVER, START, served, EMPTY, Duration.ZERO);
  }

  private void probe(double delay, boolean retry) {
    draft.begin(seconds(delay), new Probe(draft.floor.orElseThrow(), retry, false, 2, 0));
  }

  private void end(Incident over) {
    draft.incident = Optional.empty();
    if (!draft.emptyAt.equals(Evidence.NEVER)) {
      draft.emptyAt = EMPTY;
    }
    search.ended(draft, over, EMPTY.plusSeconds(2), BASE);
  }

  private static Incident over(double delay, int refusals, int served) {
    return new Incident(
        refusals,
        seconds(delay),
        seconds(delay),
        START,
        START.plusSeconds(2),
        served,
        EMPTY,
        Duration.ZERO);
  }

  private static Attempt attempt(double delay) {
    return new Attempt(url(1), Kind.PAGE, 1, EMPTY, seconds(delay));
  }
}
