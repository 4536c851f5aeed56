package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void every_default_is_the_documented_one() {
    assertThat(PaceSettings.DEFAULTS.toString())
        .isEqualTo(
            "PaceSettings[minimum=PT1S, concurrency=5, concurrencyStep=PT5S, parkAfter=PT10M, "
                + "blockAfter=PT720H]");
    assertThat(LearningSettings.DEFAULTS.toString())
        .isEqualTo(
            "LearningSettings[style=MIDPOINT, step=PT1S, cap=PT1M, firstRest=PT2S, "
                + "longestRest=PT5M, probeAfter=20, standsAfter=20, pardonAfter=100, pardons=3, "
                + "nearlyHeld=25, clearlyLonger=1.25, settledShare=0.1, settledWithin=PT0.05S, "
                + "retryAfter=200, retryRecoveries=20, retryStandsAfter=100, retryDoublings=3, "
                + "retryAtLeastEvery=PT1H, retryTimeCap=PT168H, blockAfter=20, "
                + "cancelAfter=OptionalInt.empty]");
    assertThat(FailureSettings.DEFAULTS.toString())
        .isEqualTo(
            "FailureSettings[firstRest=PT2S, longestRest=PT5M, closeAfter=5, robotsTries=5, "
                + "retries=3, jobFailsAfter=20]");
    assertThat(LatencySettings.DEFAULTS.toString())
        .isEqualTo(
            "LatencySettings[firstByteFactor=3, shortestFirstByte=PT5S, longestFirstByte=PT30S, "
                + "latencyFactor=0.0]");
    assertThat(CapacitySettings.DEFAULTS.toString())
        .isEqualTo(
            "CapacitySettings[inFlight=256, perAddress=20, idleAfter=PT1H, sweepEvery=PT5M, "
                + "deliveries=3, pagesPerRun=1000]");
  }

  @Test
  void one_group_can_be_replaced_and_the_others_stay() {
    PolicySettings usual = PolicySettings.DEFAULTS;
    PaceSettings fast = PaceSettings.DEFAULTS.withMinimum(Duration.ofMillis(200));
    FailureSettings strict =
        new FailureSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 1, 0, 1);
    PolicySettings other = usual.with(fast).with(strict).with(CooldownSettings.DEFAULTS);
    assertThat(other.pace().minimum()).isEqualTo(Duration.ofMillis(200));
    assertThat(other.failures()).isEqualTo(strict);
    assertThat(other.learning()).isEqualTo(usual.learning());
    assertThat(other.cooldowns()).isEqualTo(usual.cooldowns());
    assertThat(other.latency()).isEqualTo(usual.latency());
  }

  @Test
  void nonsense_is_refused_by_name() {
    assertThatThrownBy(() -> PaceSettings.DEFAULTS.withMinimum(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minimum");
    assertThatThrownBy(() -> new FailureSettings(Duration.ZERO, Duration.ZERO, 5, 5, 3, 20))
        .hasMessageContaining("first-rest");
    assertThatThrownBy(
            () -> new FailureSettings(Duration.ofSeconds(2), Duration.ofSeconds(1), 5, 5, 3, 20))
        .hasMessageContaining("longest-rest");
    assertThatThrownBy(() -> LatencySettings.DEFAULTS.withLatencyFactor(Double.NaN))
        .hasMessageContaining("latency-factor");
    assertThatThrownBy(
            () -> new FailureSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 1, 1, 1))
        .hasMessageContaining("close-after");
    assertThatThrownBy(() -> new Budget(1, 1, 1)).hasMessageContaining("budget");
    assertThatThrownBy(() -> Limits.NONE.withConcurrency(0)).hasMessageContaining("concurrency");
    Duration day = Duration.ofDays(1);
    assertThatThrownBy(() -> new CooldownSettings(day, day, day, day, day, day, List.of(), 3))
        .hasMessageContaining("unreachable");
  }
}
