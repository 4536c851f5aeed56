package dev.comity.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.comity.core.policy.support.Script;
import dev.comity.core.schedule.Priority.Facts;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PriorityTest {

  @Test
  void a_better_rank_has_more_points_and_none_has_none() {
    assertThat(points(OptionalLong.of(1))).isEqualTo(1000);
    assertThat(points(OptionalLong.of(1000))).isCloseTo(571.43, within(0.01));
    assertThat(points(OptionalLong.of(10_000_000))).isZero();
    assertThat(points(OptionalLong.of(1_000_000_000))).isZero();
    assertThat(points(OptionalLong.empty())).isZero();
  }

  @Test
  void every_part_weighs_what_it_should() {
    Facts facts = new Facts(OptionalLong.empty(), 100, 50, 600, 0.5, OptionalLong.of(10));
    assertThat(Priority.of(facts)).isEqualTo(500 + 1000 - 250 + 50);
  }

  @Test
  void parts_are_capped() {
    Facts old = new Facts(OptionalLong.empty(), 0, 0, 0, 7, OptionalLong.of(10_000));
    assertThat(Priority.of(old)).isEqualTo(-500 + 5 * 365);
    for (double rate : new double[] {-1, 0, Double.NaN}) {
      Facts odd = new Facts(OptionalLong.of(0), 0, 0, -5, rate, OptionalLong.of(-3));
      assertThat(Priority.of(odd)).isZero();
    }
    Facts never = new Facts(OptionalLong.empty(), 0, 0, 0, 0, OptionalLong.empty());
    assertThat(Priority.of(never)).isEqualTo(150);
  }

  @Test
  void a_refresh_comes_later_while_nothing_changes_and_sooner_when_it_does() {
    RefreshInterval refresh = RefreshInterval.DEFAULTS;
    assertThat(refresh.first()).isEqualTo(Duration.ofDays(14));
    assertThat(refresh.after(Duration.ofDays(14), false)).isEqualTo(Duration.ofDays(28));
    assertThat(refresh.after(Duration.ofDays(14), true)).isEqualTo(Duration.ofDays(7));
    assertThat(refresh.after(Duration.ofDays(80), false)).isEqualTo(Duration.ofDays(90));
    assertThat(refresh.after(Duration.ofHours(1), true)).isEqualTo(Duration.ofHours(1));
    assertThat(RefreshInterval.due(Script.START, Duration.ofDays(14)))
        .isEqualTo(Script.START.plus(Duration.ofDays(14)));
  }

  private double points(OptionalLong rank) {
    return Priority.of(new Facts(rank, 0, 0, 0, 0, OptionalLong.of(0)));
  }
}
