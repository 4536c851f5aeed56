package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.Scope.Reach;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void when_nothing_is_said_this_holds() {
    assertThat(Settings.DEFAULT)
        .isEqualTo(
            new Settings(
                Optional.empty(),
                SECOND,
                1000,
                1000,
                Integer.MAX_VALUE,
                Reach.SEEDS,
                List.of(),
                List.of(),
                true,
                Manner.DEFAULT));
  }

  @Test
  void what_makes_no_sense_is_refused_with_the_key_the_value_and_the_rule() {
    refused(
        Duration.ofMillis(-1), 1, 0, "delay is PT-0.001S, but must not be negative; 0 means none");
    refused(SECOND, 0, 0, "max-pages is 0, but must be at least 1");
    refused(
        SECOND, Long.MIN_VALUE, 0, "max-pages is " + Long.MIN_VALUE + ", but must be at least 1");
    refused(SECOND, 1, -1, "max-depth is -1, but must be at least 0; 0 crawls the seeds alone");
  }

  @Test
  void the_smallest_that_makes_sense_is_taken() {
    Settings smallest = settings(Duration.ZERO, 1, 0);
    assertThat(smallest.minimumInterval()).isZero();
    assertThat(smallest.maxPages()).isEqualTo(1);
    assertThat(smallest.maxDepth()).isZero();
  }

  private static void refused(Duration interval, long pages, int depth, String words) {
    assertThatThrownBy(() -> settings(interval, pages, depth))
        .isInstanceOf(WrongSetting.class)
        .hasMessage(words);
  }

  private static Settings settings(Duration interval, long pages, int depth) {
    return new Settings(
        Optional.empty(),
        interval,
        pages,
        1000,
        depth,
        Reach.SEEDS,
        List.of(),
        List.of(),
        true,
        Manner.DEFAULT);
  }
}
