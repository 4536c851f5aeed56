package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.policy.VisitTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisitHoursTest {

  @ParameterizedTest
  @CsvSource({
    "0600-0845, 360, 525",
    "0100 - 0800, 60, 480",
    "22:00-06:00 UTC, 1320, 360",
    "2200-2400, 1320, 1440",
    "1000-1245 gmt, 600, 765",
  })
  void hours_are_read_as_minutes_of_the_day(String value, int from, int to) {
    assertThat(VisitHours.read(value)).contains(new VisitTime(from, to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0600",
        "0600-",
        "600-845",
        "0660-0700",
        "2500-2600",
        "2401-0100",
        "0000-2400",
        "0600-0600",
        "0600-0845 local",
        "-0600-0845",
        "six to nine"
      })
  void anything_else_says_nothing(String value) {
    assertThat(VisitHours.read(value)).isEmpty();
  }

  @Test
  void the_group_that_is_meant_has_its_own_hours_and_the_shortest_holds() {
    assertThat(read("User-agent: *\nVisit-time: 0100-0200\nVisit-time: 0300-0330 # UTC\n"))
        .contains(new VisitTime(180, 210));
    assertThat(read("User-agent: *\nVisit-time: 0100-0200\n\nUser-agent: comity\nDisallow:\n"))
        .isEmpty();
    assertThat(read("User-agent: comity\nVisit-time: 0100-0200\n\nUser-agent: *\nDisallow:\n"))
        .contains(new VisitTime(60, 120));
  }

  private static Optional<VisitTime> read(String robots) {
    return new RobotsTxt("comity").read(Body.of(robots)).visitTime();
  }
}
