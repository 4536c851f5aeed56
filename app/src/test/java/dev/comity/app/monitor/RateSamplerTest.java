package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Settled;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Census;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RateSamplerTest {
  private final CrawlCounts counts = new CrawlCounts();
  private Instant now = NOON;
  private Optional<Census> census = Optional.empty();

  private RateSampler sampler(long budget, Optional<Instant> deadline) {
    return new RateSampler(
        counts,
        new Run(1, true, 10, 0, Set.of(), OptionalLong.empty()),
        new Budgets(budget, 256),
        () -> CrawlSnapshot.NOTHING,
        () -> census,
        deadline,
        () -> now);
  }

  private void later(int seconds, int pages) {
    now = now.plusSeconds(seconds);
    for (int page = 0; page < pages; page++) {
      counts.settled(URL.domain(), Settled.answered(200));
    }
  }

  @Test
  void the_rate_is_that_of_the_last_ten_seconds() {
    RateSampler sampler = sampler(1000, Optional.empty());
    assertThat(sampler.look().rate()).isZero();
    later(5, 50);
    assertThat(sampler.look().rate()).isEqualTo(10.0);
    later(5, 0);
    assertThat(sampler.look().rate()).isEqualTo(5.0);
    later(5, 0);
    assertThat(sampler.look().rate()).isZero();
    later(20, 5);
    assertThat(sampler.look().elapsed()).isEqualTo(Duration.ofSeconds(35));
  }

  @Test
  void what_is_left_goes_by_the_pages_the_run_may_have() {
    RateSampler sampler = sampler(100, Optional.empty());
    assertThat(sampler.look().left()).isEmpty();
    later(5, 10);
    // Ten from before, ten now: 80 more at two a second.
    assertThat(sampler.look().left()).contains(Duration.ofSeconds(40));
  }

  @Test
  void or_by_what_is_known_or_by_its_time_if_that_is_less() {
    RateSampler sampler = sampler(100, Optional.of(NOON.plusSeconds(20)));
    assertThat(sampler.look().left()).contains(Duration.ofSeconds(20));
    later(5, 10);
    assertThat(sampler.look().left()).contains(Duration.ofSeconds(15));
    census = Optional.of(new Census(6, 0, Map.of()));
    assertThat(sampler.look().left()).contains(Duration.ofSeconds(3));
  }

  @Test
  void it_is_quiet_since_a_request_was_last_seen_to_start() {
    RateSampler sampler = sampler(100, Optional.empty());
    assertThat(sampler.look().quietSince()).isEqualTo(NOON);
    later(5, 0);
    counts.started(URL.domain(), Settled.attempt(URL, now));
    assertThat(sampler.look().quietSince()).isEqualTo(NOON.plusSeconds(5));
    later(5, 0);
    assertThat(sampler.look().quietSince()).isEqualTo(NOON.plusSeconds(5));
  }
}
