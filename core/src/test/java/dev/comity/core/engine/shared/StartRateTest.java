package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.Signal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StartRateTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final StartRate rate = new StartRate(4);
  private final Signal first = new Signal();
  private final Signal second = new Signal();
  private final Signal third = new Signal();

  private void start(Signal asker, Instant at) {
    assertThat(rate.admits(asker, at)).isTrue();
    rate.started(asker, at);
  }

  @Test
  void the_next_start_is_its_share_of_a_second_later() {
    start(first, NOON);
    assertThat(rate.admits(second, NOON.plusMillis(249))).isFalse();
    assertThat(rate.nextFor(second)).contains(NOON.plusMillis(250));
    start(second, NOON.plusMillis(250));
    assertThat(rate.queuing()).isZero();
  }

  @Test
  void nobody_is_overtaken_and_who_comes_to_be_first_is_woken() {
    start(first, NOON);
    assertThat(rate.admits(second, NOON)).isFalse();
    assertThat(rate.admits(third, NOON.plusSeconds(9))).isFalse();
    assertThat(rate.nextFor(third)).isEmpty();
    assertThat(third.isRaised()).isFalse();
    start(second, NOON.plusSeconds(9));
    assertThat(third.isRaised()).isTrue();
    assertThat(rate.nextFor(third)).contains(NOON.plusMillis(9250));
  }

  @Test
  void who_leaves_costs_nobody_a_start() {
    start(first, NOON);
    rate.admits(second, NOON);
    rate.admits(third, NOON);
    rate.leave(second);
    assertThat(third.isRaised()).isTrue();
    assertThat(second.isRaised()).isFalse();
    start(third, NOON.plusMillis(250));
  }

  @Test
  void one_that_was_long_idle_has_saved_nothing_up() {
    start(first, NOON);
    start(second, NOON.plusSeconds(60));
    assertThat(rate.admits(third, NOON.plusSeconds(60))).isFalse();
  }

  @Test
  void without_a_rate_everybody_goes_at_once_and_nobody_is_remembered() {
    StartRate none = new StartRate(0);
    assertThat(none.admits(first, NOON)).isTrue();
    none.started(first, NOON);
    assertThat(none.admits(second, NOON)).isTrue();
    assertThat(none.queuing()).isZero();
  }
}
