package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.robots.RobotsConformance;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RobotsConformanceTest {
  @Test
  void every_row_of_our_own_is_answered_as_the_standard_says() {
    RobotsConformance rows = RobotsConformance.own();
    assertThat(rows.size()).isGreaterThanOrEqualTo(40);
    assertThat(rows.failures(RobotsTxt::new)).isEmpty();
  }

  /** Runs rows of any other file: {@code java … RobotsConformanceTest rows.json}. */
  static void main(String[] args) throws IOException {
    RobotsConformance rows = RobotsConformance.from(Path.of(args[0]));
    var failures = rows.failures(RobotsTxt::new);
    failures.forEach(IO::println);
    rows.unaskable().forEach(row -> IO.println(row.id() + " has a URL that is never crawled"));
    IO.println(
        "%d rows: %d fail, %d cannot be asked"
            .formatted(rows.size(), failures.size(), rows.unaskable().size()));
  }
}
