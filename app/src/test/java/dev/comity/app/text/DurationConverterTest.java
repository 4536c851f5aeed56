package dev.comity.app.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0ms, PT0S",
    "1ms, PT0.001S",
    "500ms, PT0.5S",
    "0.4ms, PT0S",
    "0.5ms, PT0.001S",
    "2, PT2S",
    "2s, PT2S",
    "1.5s, PT1.5S",
    "0.001s, PT0.001S",
    "1.005s, PT1.005S",
    "10m, PT10M",
    "0.5m, PT30S",
    "1h, PT1H",
    "1.5h, PT1H30M",
    "2d, PT48H",
    "999999999d, PT23999999976H",
  })
  void a_duration_is_read_as_people_write_it(String written, Duration meant) {
    assertThat(new DurationConverter().convert(written)).isEqualTo(meant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "s",
        "-1s",
        "+1s",
        "1 s",
        "1S",
        "1.s",
        ".5s",
        "1.0001s",
        "1,5s",
        "1e3s",
        "1m30s",
        "1us",
        "1w",
        "PT1S",
        "NaN",
        "1234567890s",
        "١s",
        "1s\n"
      })
  void anything_else_is_refused_with_examples(String written) {
    assertThatThrownBy(() -> new DurationConverter().convert(written))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'" + written + "' is not a duration; write one like 500ms, 2s, 1.5s, 10m or 1h");
  }
}
