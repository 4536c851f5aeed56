package dev.comity.core.policy.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import org.junit.jupiter.api.Test;

class NoiseTest {

  @Test
  void eight_refusals_are_paid_for_in_advance_and_no_more_than_a_tenth_is_noise() {
    assertThat(Noise.found(0.05)).isEqualTo(new Noise(0.05, 8));
    assertThat(Noise.found(0.4)).isEqualTo(new Noise(0.1, 8));
    assertThat(Noise.found(0.05).served(false).credit()).isEqualTo(8);
  }

  @Test
  void a_success_earns_twice_the_share_and_in_a_probe_no_more_than_it() {
    Noise spent = Noise.found(0.05).paid(8);
    assertThat(spent.pays(1)).isFalse();
    assertThat(spent.served(false).credit()).isCloseTo(0.1, offset(1e-9));
    assertThat(spent.served(true).credit()).isCloseTo(0.05, offset(1e-9));
    assertThat(Noise.NONE.served(false)).isEqualTo(Noise.NONE);
  }

  @Test
  void a_probe_may_be_refused_as_often_as_chance_would_have_it_and_once_more() {
    Noise noise = Noise.found(0.05);
    assertThat(noise.forProbe(0).credit()).isEqualTo(1);
    assertThat(noise.forProbe(80).credit()).isCloseTo(6, offset(1e-9));
    assertThat(noise.forProbe(320).credit()).isCloseTo(11, offset(1e-9));
    assertThat(noise.forProbe(320).served(true).credit()).isCloseTo(11, offset(1e-9));
    assertThat(noise.forProbe(320).full().credit()).isEqualTo(8);
    assertThat(Noise.NONE.forProbe(10)).isEqualTo(Noise.NONE);
    assertThat(Noise.NONE.full()).isEqualTo(Noise.NONE);
  }

  @Test
  void a_share_that_was_too_high_is_corrected_and_one_that_was_too_low_is_not() {
    Noise noise = Noise.found(0.05).paid(3);
    assertThat(noise.atMost(0.03)).isEqualTo(new Noise(0.03, 5));
    assertThat(noise.atMost(0.05)).isSameAs(noise);
    assertThat(noise.atMost(0.07)).isSameAs(noise);
  }

  @Test
  void refusals_are_paid_for_while_the_credit_lasts() {
    assertThat(Noise.found(0.05).pays(8)).isTrue();
    assertThat(Noise.found(0.05).pays(9)).isFalse();
    assertThat(Noise.NONE.pays(1)).isFalse();
    assertThat(Noise.NONE.served(false)).isSameAs(Noise.NONE);
  }

  @Test
  void twenty_times_the_usual_distance_without_a_refusal_ends_it() {
    assertThat(Noise.found(0.0625).isOver(320)).isFalse();
    assertThat(Noise.found(0.0625).isOver(321)).isTrue();
    assertThat(Noise.NONE.isOver(1_000_000)).isFalse();
  }
}
