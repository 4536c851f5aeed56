package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StaggerTest {
  private static final Instant BEGIN = Instant.parse("2026-11-16T00:00:00Z");
  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Stagger stagger = new Stagger(BEGIN);

  @Test
  void a_crawl_of_a_few_domains_begins_at_once() {
    assertThat(waits(10, DELAY)).containsOnly(Duration.ZERO);
  }

  @Test
  void many_are_spread_evenly_over_one_delay() {
    List<Duration> waits = waits(110, DELAY).subList(10, 110).stream().sorted().toList();

    assertThat(waits.getLast()).isLessThan(DELAY);
    for (int one = 1; one < waits.size(); one++) {
      // A hundred in a thousand milliseconds: none together, and none far from the next.
      assertThat(waits.get(one).minus(waits.get(one - 1)))
          .isBetween(Duration.ofMillis(4), Duration.ofMillis(20));
    }
  }

  @Test
  void nobody_waits_longer_than_ten_seconds() {
    assertThat(waits(1000, Duration.ofMinutes(5)))
        .allMatch(wait -> wait.compareTo(Duration.ofSeconds(10)) < 0);
  }

  @Test
  void without_a_delay_nobody_waits() {
    assertThat(waits(1000, Duration.ZERO)).containsOnly(Duration.ZERO);
  }

  @Test
  void who_is_claimed_later_takes_the_place_of_another_and_begins_at_once() {
    waits(100, DELAY);
    Instant later = BEGIN.plus(DELAY);

    assertThat(stagger.firstTurn(DELAY, later)).isEqualTo(later);
    assertThat(stagger.firstTurn(DELAY, later.minusMillis(1))).isAfter(later.minusMillis(1));
  }

  private List<Duration> waits(int domains, Duration delay) {
    return IntStream.range(0, domains)
        .mapToObj(_ -> Duration.between(BEGIN, stagger.firstTurn(delay, BEGIN)))
        .toList();
  }
}
