package dev.comity.core.policy.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.Limits;
import dev.comity.core.schedule.Budget;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void every_default_is_the_documented_one() {
    assertThat(PaceSettings.DEFAULTS.toString())
        .isEqualTo("PaceSettings[minimum=PT1S, concurrency=5, latencyFactor=0.0]");
    assertThat(LearningSettings.DEFAULTS.toString())
        .isEqualTo("LearningSettings[style=MIDPOINT, cap=PT1M, cancelAfter=OptionalInt.empty]");
    assertThat(FailureSettings.DEFAULTS.toString())
        .isEqualTo("FailureSettings[closeAfter=5, retries=3, jobFailsAfter=20]");
    assertThat(CooldownSettings.DEFAULTS.toString()).isEqualTo("CooldownSettings[times=[]]");
  }

  @Test
  void one_group_can_be_replaced_and_the_others_stay() {
    PolicySettings usual = PolicySettings.DEFAULTS;
    PaceSettings fast = PaceSettings.DEFAULTS.withMinimum(Duration.ofMillis(200));
    FailureSettings strict = new FailureSettings(1, 0, 1);
    PolicySettings other = usual.with(fast).with(strict).with(CooldownSettings.DEFAULTS);
    assertThat(other.pace().minimum()).isEqualTo(Duration.ofMillis(200));
    assertThat(other.failures()).isEqualTo(strict);
    assertThat(other.learning()).isEqualTo(usual.learning());
    assertThat(other.cooldowns()).isEqualTo(usual.cooldowns());
  }

  @Test
  void nonsense_is_refused_by_name() {
    assertThatThrownBy(() -> PaceSettings.DEFAULTS.withMinimum(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("delay is -1s, but must lie between 0s and 36500d");
    assertThatThrownBy(() -> new PaceSettings(Duration.ZERO, 1, Double.NaN))
        .hasMessage("latency-factor is NaN, but must be from 0 to 1000");
    assertThatThrownBy(
            () ->
                new LearningSettings(ProbeStyle.STEP, Duration.ofMillis(999), OptionalInt.empty()))
        .hasMessage(
            "learning-cap is 999ms, but must not be shorter than 1s, which is what each refusal"
                + " adds");
    assertThatThrownBy(() -> LearningSettings.DEFAULTS.withCancelAfter(0))
        .hasMessage("refusals-cancel-after is 0, but must be at least 1");
    assertThatThrownBy(() -> new FailureSettings(0, 1, 1))
        .hasMessage("close-after is 0, but must be at least 1");
    assertThatThrownBy(() -> new CooldownSettings(List.of(Duration.ofDays(1), Duration.ZERO)))
        .hasMessage("cooldown is 0s, but must lie between 1ms and 36500d");
    assertThatThrownBy(() -> new Budget(1, 1, 0, 1)).hasMessageContaining("budget");
    assertThatThrownBy(() -> Limits.NONE.withConcurrency(0)).hasMessageContaining("concurrency");
  }
}
