package dev.comity.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "' 120 ', 120", "0003600, 3600", "31536000, 31536000"})
  void digits_are_seconds(String value, long seconds) {
    assertThat(read(value)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"31536000001", "100000000000000000000", "Fri, 31 Dec 9999 23:59:59 GMT"})
  void an_absurd_wait_stays_absurd_but_fits(String value) {
    assertThat(read(value)).contains(Duration.ofDays(365_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "+5",
        "1.0",
        "1e3",
        "5s",
        "soon",
        "120, 240",
        "٣",
        "Sun, 15 Nov 2026",
        "Sun, 15 Nov 2026 12:01:40 PST",
        "Sun, 32 Nov 2026 12:01:40 GMT",
        "Sun,",
        ",",
        "Sun "
      })
  void nonsense_is_no_wish(String value) {
    assertThat(read(value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 15 Nov 2026 12:01:40 GMT",
        "sun, 15 nov 2026 12:01:40 GMT",
        "Mon, 15 Nov 2026 12:01:40 GMT",
        "Sunday, 15-Nov-26 12:01:40 GMT",
        "Sun Nov 15 12:01:40 2026"
      })
  void every_form_of_date_counts_from_now_when_the_response_names_no_time(String value) {
    assertThat(read(value)).contains(Duration.ofSeconds(100));
  }

  @Test
  void a_date_counts_from_the_time_the_response_gives_itself() {
    Headers headers =
        Headers.of(
            Map.of(
                "Date", List.of("Sun, 15 Nov 2026 09:00:00 GMT"),
                "Retry-After", List.of("Sun, 15 Nov 2026 10:00:00 GMT")));
    assertThat(RetryAfter.read(headers, NOW)).contains(Duration.ofHours(1));
  }

  @Test
  void an_unreadable_date_of_the_response_is_as_good_as_none() {
    Headers headers =
        Headers.of(
            Map.of(
                "Date", List.of("yesterday"),
                "Retry-After", List.of("Sun, 15 Nov 2026 12:00:07 GMT")));
    assertThat(RetryAfter.read(headers, NOW)).contains(Duration.ofSeconds(7));
  }

  @Test
  void a_time_gone_by_is_readable_and_asks_for_no_wait() {
    assertThat(read("Sun, 15 Nov 2026 11:59:59 GMT")).contains(Duration.ZERO);
    assertThat(read("Tuesday, 01-Jan-80 00:00:00 GMT")).contains(Duration.ZERO);
  }

  @Test
  void two_digits_of_a_year_lie_at_most_50_years_ahead() {
    assertThat(read("Friday, 15-Nov-30 12:00:00 GMT")).contains(Duration.ofDays(4 * 365 + 1));
    assertThat(read("Sunday, 15-Nov-76 12:00:00 GMT")).contains(Duration.ofDays(50 * 365 + 13));
    assertThat(read("Monday, 15-Nov-77 12:00:00 GMT")).contains(Duration.ZERO);
  }

  @Test
  void the_longest_of_several_wishes_holds() {
    Headers headers = Headers.of(Map.of("retry-after", List.of("5", "rubbish", "60", "7")));
    assertThat(RetryAfter.read(headers, NOW)).contains(Duration.ofSeconds(60));
  }

  @Test
  void no_header_is_no_wish() {
    assertThat(RetryAfter.read(Headers.NONE, NOW)).isEmpty();
  }

  private static Optional<Duration> read(String value) {
    return RetryAfter.read(Headers.of(Map.of("Retry-After", List.of(value))), NOW);
  }
}
