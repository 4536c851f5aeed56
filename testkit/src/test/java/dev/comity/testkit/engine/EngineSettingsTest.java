package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.EngineSettings;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is set of the engine's ways is what it does. */
class EngineSettingsTest {
  private static final Duration SLOW = Duration.ofSeconds(4);

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void every_default_is_the_documented_one() {
    assertThat(EngineSettings.DEFAULTS.toString())
        .isEqualTo(
            "EngineSettings[maxPerAddress=20, maxRate=0.0, maxRedirects=5, robotsRedirects=5,"
                + " robotsCache=PT24H, claimsAtOnce=10, recalculateEvery=PT1H]");
  }

  @Test
  void no_more_requests_are_in_flight_to_one_address_than_is_set() {
    rehearsal.engine = new EngineSettings(2, 0, 5, 5, Duration.ofDays(1), 10, Duration.ofHours(1));
    for (int number = 0; number < 6; number++) {
      String host = "http://crowd" + number + ".example";
      rehearsal.web.site(host).page("/").latency(Duration.ZERO, SLOW).at("192.0.2.1");
      rehearsal.seed(host + "/");
    }
    rehearsal.run();
    assertThat(rehearsal.web.visits()).hasSize(12);
    for (Visit visit : rehearsal.web.visits()) {
      Instant start = visit.startedAt();
      assertThat(
              rehearsal.web.visits().stream()
                  .map(Visit::startedAt)
                  .filter(other -> !other.isAfter(start) && start.isBefore(other.plus(SLOW))))
          .hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void a_robots_txt_is_read_again_when_it_is_older_than_is_set() {
    rehearsal.engine =
        new EngineSettings(20, 0, 5, 5, Duration.ofSeconds(3), 10, Duration.ofHours(1));
    rehearsal.web.site("http://a.example").page("/", "/1", "/2", "/3", "/4", "/5");
    rehearsal.seed("http://a.example/").run();
    // A request a second: the file, three seconds' worth of pages, the file again.
    assertThat(rehearsal.web.visits().stream().map(visit -> visit.url().target()))
        .filteredOn("/robots.txt"::equals)
        .hasSizeBetween(2, 3);
  }
}
