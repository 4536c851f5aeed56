package dev.comity.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.metrics.Gaps.Gap;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Kind;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GapsTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final CrawlUrl URL = CrawlUrl.of("http://site.example/");

  private final Gaps gaps = new Gaps();

  private Gap start(long millis) {
    return start(URL, millis);
  }

  private Gap start(CrawlUrl url, long millis) {
    return gaps.started(
        url.domain(),
        new Attempt(url, Kind.PAGE, 1, NOON.plusMillis(millis), Duration.ofSeconds(1)));
  }

  @Test
  void a_request_is_too_soon_a_millisecond_before_the_delay_has_passed_and_not_when_it_has() {
    assertThat(start(0).tooSoon()).isFalse();
    assertThat(start(1000).tooSoon()).isFalse();
    assertThat(start(1999).tooSoon()).isTrue();
  }

  @Test
  void how_late_a_request_is_counts_from_the_end_of_its_last_wait() {
    DomainName domain = URL.domain();
    assertThat(start(0).late()).isEmpty();
    gaps.waiting(domain, NOON.plusMillis(1000));
    gaps.waiting(domain, NOON.plusMillis(1500));
    assertThat(start(1507).late()).contains(Duration.ofMillis(7));
    // It had nothing to wait for.
    assertThat(start(60_000).late()).isEqualTo(Optional.empty());
    // It waited for something else in the end.
    gaps.waiting(domain, NOON.plusMillis(65_000));
    assertThat(start(64_000).late()).isEmpty();
  }

  @Test
  void of_ever_more_domains_only_those_asked_lately_are_remembered() {
    for (int number = 0; number < 100_000; number++) {
      start(CrawlUrl.of("http://site-" + number + ".example/"), number * 10L);
    }
    // A hundred a second, for twice the delay and ten seconds.
    assertThat(gaps.size()).isLessThanOrEqualTo(4097);
    assertThat(start(CrawlUrl.of("http://site-99990.example/"), 1_000_000).tooSoon()).isTrue();
  }
}
