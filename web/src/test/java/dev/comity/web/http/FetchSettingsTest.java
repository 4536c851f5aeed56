package dev.comity.web.http;

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
        .hasMessage("longest-first-byte is 0s, but must lie between 1ms and 1d");
    assertThatThrownBy(() -> FetchSettings.DEFAULT.withFirstByte(Duration.ofDays(2)))
        .hasMessage("longest-first-byte is 2d, but must lie between 1ms and 1d");
  }

  @Test
  void a_limit_of_nothing_is_refused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new FetchSettings(second, second, second, second, 0, 1, 1, second))
        .hasMessage("page-limit is 0, but must be from 1 to 2147483646");
    assertThatThrownBy(() -> new FetchSettings(second, second, second, second, 1, 1, -1, second))
        .hasMessage("idle-connections is -1, but must be at least 0");
  }
}
