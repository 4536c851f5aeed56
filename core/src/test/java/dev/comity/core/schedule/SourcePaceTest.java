package dev.comity.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourcePaceTest {
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final Duration GLOBAL = Duration.ofSeconds(1);

  private static SourcePace pace(Duration interval) {
    return SourcePace.of(Optional.of(interval), GLOBAL, Optional.of(NOON));
  }

  @Test
  void a_source_that_never_started_has_a_turn() {
    SourcePace pace = SourcePace.of(Optional.empty(), GLOBAL, Optional.empty());
    assertThat(pace.dueAfter(NOON)).isEmpty();
    assertThat(SourcePace.FREE.dueAfter(NOON)).isEmpty();
  }

  @Test
  void the_next_turn_is_one_interval_after_the_last_start() {
    SourcePace pace = pace(Duration.ofSeconds(10));
    assertThat(pace.dueAfter(NOON)).contains(NOON.plusSeconds(10));
    assertThat(pace.dueAfter(NOON.plusMillis(9999))).contains(NOON.plusSeconds(10));
    assertThat(pace.dueAfter(NOON.plusSeconds(10))).isEmpty();
  }

  @Test
  void a_source_without_an_interval_has_the_global_one() {
    SourcePace pace = SourcePace.of(Optional.empty(), GLOBAL, Optional.of(NOON));
    assertThat(pace.interval()).contains(GLOBAL);
  }

  @Test
  void an_effective_interval_of_zero_or_less_switches_it_off() {
    assertThat(pace(Duration.ZERO).dueAfter(NOON)).isEmpty();
    assertThat(pace(Duration.ofSeconds(-1)).interval()).isEmpty();
    SourcePace global = SourcePace.of(Optional.empty(), Duration.ZERO, Optional.of(NOON));
    assertThat(global.dueAfter(NOON)).isEmpty();
  }

  @Test
  void a_last_start_in_the_future_counts_as_now() {
    SourcePace pace = pace(Duration.ofSeconds(10));
    Instant before = NOON.minusSeconds(500);
    assertThat(pace.dueAfter(before)).contains(before.plusSeconds(10));
  }

  @Test
  void waits_are_whole_seconds_rounded_up() {
    assertThat(SourcePace.waitSeconds(NOON, NOON.plusNanos(1))).isEqualTo(1);
    assertThat(SourcePace.waitSeconds(NOON, NOON.plusSeconds(7))).isEqualTo(7);
    assertThat(SourcePace.waitSeconds(NOON, NOON.plusMillis(6001))).isEqualTo(7);
    assertThat(SourcePace.waitSeconds(NOON, NOON)).isZero();
    assertThat(SourcePace.waitSeconds(NOON, NOON.minusSeconds(1))).isZero();
  }
}
