package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencyTest {

  @Test
  void an_unknown_site_gets_the_longest_wait() {
    assertThat(Latency.UNKNOWN.firstByteTimeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void the_wait_is_three_times_the_95th_percentile_within_five_and_thirty_seconds() {
    assertThat(steady(Duration.ofMillis(100)).firstByteTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(Latency.UNKNOWN.with(Duration.ofSeconds(4)).firstByteTimeout())
        .isEqualTo(Duration.ofSeconds(12));
    assertThat(steady(Duration.ofSeconds(20)).firstByteTimeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void the_estimate_comes_to_rest_where_one_sample_in_twenty_is_above() {
    SplittableRandom random = new SplittableRandom(42);
    Latency latency = Latency.UNKNOWN;
    for (int i = 0; i < 20_000; i++) {
      latency = latency.with(Duration.ofMillis(random.nextInt(1000)));
    }
    assertThat((double) latency.high().toMillis()).isCloseTo(950, within(60.0));
    assertThat((double) latency.average().toMillis()).isCloseTo(500, within(200.0));
  }

  @Test
  void a_time_out_makes_the_next_wait_longer_up_to_the_longest() {
    Latency latency = steady(Duration.ofMillis(100)).timedOut();
    assertThat(latency.firstByteTimeout()).isBetween(seconds(9.9), seconds(10));
    latency = latency.timedOut();
    assertThat(latency.firstByteTimeout()).isBetween(seconds(19.9), seconds(20));
    latency = latency.timedOut().timedOut();
    assertThat(latency.firstByteTimeout()).isEqualTo(seconds(30));
    assertThat(Latency.UNKNOWN.timedOut()).isEqualTo(Latency.UNKNOWN);
  }

  @Test
  void later_samples_move_the_estimates_a_little() {
    Latency known = new Latency(30, Duration.ofMillis(100), Duration.ofMillis(100));
    assertThat(known.with(Duration.ofMillis(900)))
        .isEqualTo(new Latency(31, Duration.ofMillis(150), Duration.ofNanos(104_750_000)));
    assertThat(known.with(Duration.ofMillis(100)))
        .isEqualTo(new Latency(31, Duration.ofMillis(100), Duration.ofNanos(99_750_000)));
    assertThat(known.with(Duration.ofMillis(102)).high()).isEqualTo(Duration.ofMillis(102));
    assertThat(new Latency(1_000, Duration.ZERO, Duration.ZERO).with(Duration.ZERO).samples())
        .isEqualTo(1_000);
  }

  @Test
  void the_first_twenty_samples_are_taken_at_their_word() {
    Latency young = new Latency(19, Duration.ofMillis(100), Duration.ofMillis(100));
    assertThat(young.with(Duration.ofSeconds(3)).high()).isEqualTo(Duration.ofSeconds(3));
    Latency grown = new Latency(20, Duration.ofMillis(100), Duration.ofMillis(100));
    assertThat(grown.with(Duration.ofSeconds(3)).high()).isLessThan(Duration.ofMillis(105));
  }

  @Test
  void the_policy_reads_the_first_byte_of_every_answer() {
    Script script = Script.play();
    assertThat(script.policy.firstByteTimeout(script.state)).isEqualTo(seconds(30));
    DomainState seen = script.state.with(script.state.latency().with(seconds(3)));
    assertThat(script.policy.firstByteTimeout(seen)).isEqualTo(seconds(9));
  }

  @Test
  void what_an_answer_took_beyond_the_usual_may_be_lateness() {
    Latency latency = steady(Duration.ofMillis(100));
    assertThat(latency.lateness(Duration.ofMillis(130))).isEqualTo(Duration.ofMillis(30));
    assertThat(latency.lateness(Duration.ofMillis(90))).isEqualTo(Duration.ZERO);
    assertThat(Latency.UNKNOWN.lateness(Duration.ofMillis(90))).isEqualTo(Duration.ZERO);
  }

  private static Duration seconds(double seconds) {
    return Script.seconds(seconds);
  }

  private static Latency steady(Duration sample) {
    Latency latency = Latency.UNKNOWN;
    for (int i = 0; i < 100; i++) {
      latency = latency.with(sample);
    }
    return latency;
  }
}
