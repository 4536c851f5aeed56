package dev.comity.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FetchSettingsTest {
  @Test
  void the_defaults_are_those_that_are_promised() {
    assertThat(FetchSettings.DEFAULT)
        .isEqualTo(
            new FetchSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                10_485_760,
                512_000,
                1_024,
                Duration.ofSeconds(30)));
  }

  @Test
  void a_time_of_nothing_or_of_days_is_refused() {
    assertThatThrownBy(() -> FetchSettings.DEFAULT.withFirstByte(Duration.ZERO))
        .hasMessage("first-byte must lie between 1 ms and 1 day: PT0S");
    assertThatThrownBy(() -> FetchSettings.DEFAULT.withFirstByte(Duration.ofDays(2)))
        .hasMessage("first-byte must lie between 1 ms and 1 day: PT48H");
  }

  @Test
  void a_limit_of_nothing_is_refused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new FetchSettings(second, second, second, second, 0, 1, 1, second))
        .hasMessage("page-limit must be a positive number of bytes: 0");
    assertThatThrownBy(() -> new FetchSettings(second, second, second, second, 1, 1, -1, second))
        .hasMessage("idle-connections cannot be negative: -1");
  }
}
