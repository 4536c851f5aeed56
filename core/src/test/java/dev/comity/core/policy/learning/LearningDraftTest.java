package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.learning.LearnedDelay.Probe;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LearningDraftTest {
  private final LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);

  @Test
  void what_shows_nothing_new_is_not_kept_twice() {
    assertThat(draft.done().evidence().shown()).isSameAs(LearnedDelay.NOTHING.evidence().shown());
    draft.tries = 1;
    assertThat(draft.done().evidence().shown().tries()).isEqualTo(1);
  }

  @Test
  void the_longest_refused_delay_is_remembered() {
    draft.refuse(seconds(2));
    assertThat(draft.refused).contains(seconds(2));
    draft.refuse(seconds(1));
    assertThat(draft.refused).contains(seconds(2));
    draft.refuse(seconds(3));
    assertThat(draft.refused).contains(seconds(3));
  }

  @Test
  void another_search_counts_and_waits_from_nothing() {
    draft.tries = 1;
    draft.searched = 2;
    draft.atMost = seconds(3);
    draft.against = 4;
    draft.spent = 5;
    draft.patience = 6;
    draft.strides = 7;
    draft.forgetSearch();
    assertThat(draft.done()).isEqualTo(LearnedDelay.NOTHING);
  }

  @Test
  void what_is_refused_stays_a_millisecond_below_what_is_long_enough() {
    draft.learned = seconds(3);
    draft.floor = Optional.of(seconds(2));
    assertThat(orderedFrom(2)).contains(seconds(1.999));
    assertThat(orderedFrom(2.5)).contains(seconds(1.999));
    assertThat(orderedFrom(1.999)).contains(seconds(1.999));
  }

  @Test
  void what_is_refused_stays_below_the_delay_that_is_kept() {
    draft.learned = seconds(1.5);
    draft.floor = Optional.of(seconds(2));
    assertThat(orderedFrom(1.6)).contains(seconds(1.499));
    draft.probe = Optional.of(new Probe(seconds(2), false, false, 1, 0));
    assertThat(orderedFrom(1.6)).contains(seconds(1.6)); // A delay on trial may be refused.
    draft.probe = Optional.empty();
    draft.floor = Optional.empty();
    assertThat(orderedFrom(1.6)).contains(seconds(1.499));
  }

  @Test
  void nothing_below_a_millisecond_is_refused() {
    draft.learned = Duration.ofMillis(1);
    assertThat(orderedFrom(1)).isEmpty();
    draft.refused = Optional.empty();
    draft.keepOrder();
    assertThat(draft.refused).isEmpty();
  }

  private Optional<Duration> orderedFrom(double refused) {
    draft.refused = Optional.of(seconds(refused));
    draft.keepOrder();
    return draft.refused;
  }
}
