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
                + "longestRest=PT5M, probeAfter=20, standsAfter=20, blockAfter=20, "
                + "cancelAfter=OptionalInt.empty]");
    assertThat(FailureSettings.DEFAULTS.toString())
        .isEqualTo(
            "FailureSettings[firstRest=PT2S, longestRest=PT5M, closeAfter=5, robotsTries=5, "
                + "retries=3, jobFailsAfter=20]");
    assertThat(LatencySettings.DEFAULTS.toString())
        .isEqualTo(
            "LatencySettings[firstByteFactor=3, shortestFirstByte=PT5S, longestFirstByte=PT30S, "
                + "latencyFactor=0.0]");
    assertThat(OutageGuard.Settings.DEFAULTS.toString())
        .isEqualTo(
            "Settings[window=PT10S, share=0.5, fewest=3, probeEvery=PT5S, answeredWithin=PT720H]");
    assertThat(Priority.Weights.DEFAULTS.toString())
        .isEqualTo(
            "Weights[rank=1000.0, imageYield=1000.0, remaining=2.0, remainingCap=500, "
                + "errorRate=500.0, daysSinceCrawl=5.0, daysCap=365, daysIfNever=30, "
                + "lastRank=10000000]");
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
        .hasMessage("delay is -1s, but must lie between 0s and 36500d");
    assertThatThrownBy(() -> new FailureSettings(Duration.ZERO, Duration.ZERO, 5, 5, 3, 20))
        .hasMessage("first-rest is 0s, but must lie between 1ms and 36500d");
    assertThatThrownBy(
            () -> new FailureSettings(Duration.ofSeconds(2), Duration.ofSeconds(1), 5, 5, 3, 20))
        .hasMessage("longest-rest is 1s, but must not be shorter than first-rest, which is 2s");
    assertThatThrownBy(() -> LatencySettings.DEFAULTS.withLatencyFactor(Double.NaN))
        .hasMessage("latency-factor is NaN, but must be from 0 to 1000");
    assertThatThrownBy(
            () -> new FailureSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 1, 1, 1))
        .hasMessage("close-after is 0, but must be at least 1");
    assertThatThrownBy(() -> new Budget(1, 1, 0, 1)).hasMessageContaining("budget");
    assertThatThrownBy(() -> Limits.NONE.withConcurrency(0)).hasMessageContaining("concurrency");
    Duration day = Duration.ofDays(1);
    assertThatThrownBy(() -> new CooldownSettings(day, day, day, day, day, day, List.of(), 3))
        .hasMessage("cooldown-unreachable is [], but needs at least one time");
  }
}
