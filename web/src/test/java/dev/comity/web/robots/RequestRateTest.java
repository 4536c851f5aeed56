package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRateTest {

  @ParameterizedTest
  @CsvSource({
    "1/5, 5000",
    "1 / 5s, 5000",
    "30/1m, 2000",
    "3/1, 334",
    "1/2H, 7200000",
    "1/10 0600-0845, 10000",
    "999999/1, 1",
  })
  void so_many_pages_in_so_long_are_so_far_apart(String value, long millis) {
    assertThat(RequestRate.read(value)).contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "0/5", "1/0", "1/5d", "-1/5", "1/5.5", "1000000/1", "1/1000000", "one/5"})
  void anything_else_says_nothing(String value) {
    assertThat(RequestRate.read(value)).isEmpty();
  }
}
