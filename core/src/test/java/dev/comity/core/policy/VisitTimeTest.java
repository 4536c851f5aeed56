package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisitTimeTest {
  private static final VisitTime MORNING = new VisitTime(6 * 60, 8 * 60 + 45);
  private static final VisitTime NIGHT = new VisitTime(22 * 60, 6 * 60);

  private static Instant at(String time) {
    return Instant.parse("2026-11-16T" + time + "Z");
  }

  @ParameterizedTest
  @CsvSource({
    "05:59:59.999, 2026-11-16T06:00:00Z",
    "06:00:00, 2026-11-16T06:00:00Z",
    "08:44:59.999, 2026-11-16T08:44:59.999Z",
    "08:45:00, 2026-11-17T06:00:00Z",
    "23:00:00, 2026-11-17T06:00:00Z",
  })
  void the_morning_opens_at_six_and_closes_at_a_quarter_to_nine(String time, Instant opens) {
    assertThat(MORNING.opensAt(at(time))).isEqualTo(opens);
  }

  @ParameterizedTest
  @CsvSource({
    "00:00:00, 2026-11-16T00:00:00Z",
    "05:59:00, 2026-11-16T05:59:00Z",
    "06:00:00, 2026-11-16T22:00:00Z",
    "23:59:59, 2026-11-16T23:59:59Z",
  })
  void a_night_crosses_midnight(String time, Instant opens) {
    assertThat(NIGHT.opensAt(at(time))).isEqualTo(opens);
  }

  @Test
  void until_midnight_ends_there_and_the_whole_day_is_always_open() {
    VisitTime evening = new VisitTime(22 * 60, 24 * 60);
    assertThat(evening.opensAt(at("23:59:59.999"))).isEqualTo(at("23:59:59.999"));
    assertThat(evening.opensAt(at("00:00:00"))).isEqualTo(at("22:00:00"));
    assertThat(new VisitTime(300, 300).opensAt(at("17:00:00"))).isEqualTo(at("17:00:00"));
  }

  @Test
  void the_shorter_of_two_holds() {
    VisitTime day = new VisitTime(0, 0);
    assertThat(MORNING.shorter(NIGHT)).isEqualTo(MORNING);
    assertThat(NIGHT.shorter(MORNING)).isEqualTo(MORNING);
    assertThat(day.shorter(NIGHT)).isEqualTo(NIGHT);
    assertThat(NIGHT.shorter(new VisitTime(0, 8 * 60))).as("equally long").isEqualTo(NIGHT);
  }

  @Test
  void a_request_outside_the_hours_parks_the_domain_until_they_begin() {
    Script script = Script.play();
    script.state =
        script.policy.limited(script.state, Limits.NONE.withVisitTime(Optional.of(MORNING)));
    Instant six = Instant.parse("2026-01-01T06:00:00Z");
    assertThat(script.policy.turn(script.state, InFlight.NONE, script.now))
        .isEqualTo(new Turn.Park(six, Turn.Why.VISIT_TIME));
    assertThat(script.policy.nextStart(script.state).isAfter(Instant.EPOCH)).isTrue();
    assertThat(script.policy.turn(script.state, InFlight.NONE, six.minusSeconds(5)))
        .isEqualTo(new Turn.WaitUntil(six, Turn.Why.VISIT_TIME));
    assertThat(script.policy.turn(script.state, InFlight.NONE, six))
        .isEqualTo(new Turn.Fetch(Duration.ofSeconds(1)));
  }

  @Test
  void a_delay_that_ends_outside_the_hours_waits_for_the_next_day() {
    Script script = Script.play();
    script.now = Instant.parse("2026-01-01T08:44:59.500Z");
    script.state =
        script.policy.limited(script.state, Limits.NONE.withVisitTime(Optional.of(MORNING)));
    script.ask(Script.OK);
    assertThat(script.policy.nextStart(script.state))
        .isEqualTo(Instant.parse("2026-01-02T06:00:00Z"));
    assertThat(script.policy.turn(script.state, InFlight.NONE, script.now))
        .isEqualTo(new Turn.Park(Instant.parse("2026-01-02T06:00:00Z"), Turn.Why.VISIT_TIME));
  }

  @Test
  void the_wait_is_named_with_its_hours() {
    Script script = Script.play();
    script.state =
        script.policy.limited(script.state, Limits.NONE.withVisitTime(Optional.of(NIGHT)));
    Instant noon = Instant.parse("2026-01-01T12:00:00Z");
    assertThat(script.policy.explain(script.state, InFlight.NONE, noon).words())
        .contains(
            "next request: 2026-01-01T22:00:00Z (its robots.txt allows requests from 22:00 to"
                + " 06:00 UTC; the domain is parked)")
        .contains("- requests start from 22:00 to 06:00 UTC, as robots.txt asks");
  }

  @Test
  void only_what_is_stricter_is_added() {
    Limits known =
        Limits.NONE.withCrawlDelay(Duration.ofSeconds(5)).withVisitTime(Optional.of(MORNING));
    assertThat(known.stricter(Duration.ofSeconds(3), Optional.empty())).isEqualTo(known);
    assertThat(known.stricter(Duration.ofSeconds(7), Optional.of(new VisitTime(7 * 60, 8 * 60))))
        .isEqualTo(
            Limits.NONE
                .withCrawlDelay(Duration.ofSeconds(7))
                .withVisitTime(Optional.of(new VisitTime(7 * 60, 8 * 60))));
    assertThat(Limits.NONE.stricter(Duration.ZERO, Optional.of(NIGHT)).visitTime()).contains(NIGHT);
  }
}
