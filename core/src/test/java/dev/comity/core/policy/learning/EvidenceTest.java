package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EvidenceTest {
  private final Closure known = new Closure(seconds(60), 100);

  @Test
  void a_closure_less_than_twice_as_long_is_like_another() {
    assertThat(known.isLike(closed(119.999, 100))).isTrue();
    assertThat(known.isLike(closed(120, 100))).isFalse();
    assertThat(known.isLike(closed(30.001, 100))).isTrue();
    assertThat(known.isLike(closed(30, 100))).isFalse();
  }

  @Test
  void a_closure_after_three_quarters_to_four_thirds_as_many_is_like_another() {
    assertThat(known.isLike(closed(60, 75))).isTrue();
    assertThat(known.isLike(closed(60, 74))).isFalse();
    assertThat(known.isLike(closed(60, 133))).isTrue();
    assertThat(known.isLike(closed(60, 134))).isFalse();
    assertThat(new Closure(seconds(60), 99).isLike(closed(60, 132))).isTrue();
  }

  @Test
  void a_site_is_open_since_the_first_request_it_served_was_started() {
    Evidence one = Evidence.NONE.servedAt(START);
    assertThat(one.openSince()).isEqualTo(START);
    assertThat(one.served()).isEqualTo(1);
    assertThat(one.servedAt(START.plusSeconds(1)).openSince()).isEqualTo(START);
    assertThat(one.servedAt(START.minusSeconds(1)).openSince()).isEqualTo(START.minusSeconds(1));
  }

  private static Measured closed(double closedFor, int served) {
    Incident over =
        new Incident(2, seconds(1), seconds(1), START, START, served, START, Duration.ZERO);
    return Measured.of(over, served, START, START.plus(seconds(closedFor)));
  }
}
