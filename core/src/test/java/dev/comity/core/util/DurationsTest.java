package dev.comity.core.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

  @Test
  void seconds_have_no_more_digits_than_needed() {
    assertThat(Durations.seconds(Duration.ofMillis(1500))).isEqualTo("1.5 s");
    assertThat(Durations.seconds(Duration.ofMillis(1062))).isEqualTo("1.062 s");
    assertThat(Durations.seconds(Duration.ofMillis(20))).isEqualTo("0.02 s");
    assertThat(Durations.seconds(Duration.ofSeconds(60))).isEqualTo("60 s");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0.0 s",
    "PT0.04S, 0.0 s",
    "PT0.7S, 0.7 s",
    "PT9.94S, 9.9 s",
    "PT9.99S, 10.0 s",
    "PT10S, 10 s",
    "PT1M59.999S, 119 s",
    "PT2M, 2 min",
    "PT1H59M59S, 119 min",
    "PT2H, 2 h 0 min",
    "PT2H5M59S, 2 h 5 min",
    "PT47H59M, 47 h 59 min",
    "PT50H, 2 d 2 h",
    "PT335H59M, 14 d",
  })
  void a_duration_is_spoken_in_its_own_order_of_size(Duration duration, String spoken) {
    assertThat(Durations.rounded(duration)).isEqualTo(spoken);
  }

  @Test
  void nothing_is_said_to_take_less_than_no_time() {
    assertThat(Durations.rounded(Duration.ofSeconds(-3))).isEqualTo("0.0 s");
    assertThat(Durations.rounded(Duration.ofDays(-3))).isEqualTo("0.0 s");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT1S, 1s",
    "PT1.5S, 1500ms",
    "PT1M, 1m",
    "PT90S, 90s",
    "PT2H, 2h",
    "PT720H, 30d",
    "PT-1S, -1s"
  })
  void a_setting_has_the_largest_unit_without_a_remainder(Duration duration, String setting) {
    assertThat(Durations.setting(duration)).isEqualTo(setting);
  }
}
