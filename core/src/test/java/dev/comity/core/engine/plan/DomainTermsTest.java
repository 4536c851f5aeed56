package dev.comity.core.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DomainTermsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void they_take_the_place_of_earlier_ones_and_leave_what_robots_txt_asks_for() {
    Limits before = Limits.NONE.withMinimum(MINUTE).withConcurrency(7).withCrawlDelay(SECOND);
    DomainTerms terms = new DomainTerms(Optional.of(SECOND), OptionalInt.of(2), OptionalLong.of(3));
    assertThat(terms.on(before))
        .isEqualTo(new Limits(Optional.of(SECOND), SECOND, OptionalInt.of(2)));
    assertThat(DomainTerms.NONE.on(before)).isEqualTo(Limits.NONE.withCrawlDelay(SECOND));
    assertThat(terms.withoutBudget())
        .isEqualTo(new DomainTerms(Optional.of(SECOND), OptionalInt.of(2), OptionalLong.empty()));
  }

  @Test
  void what_cannot_be_meant_is_refused_by_its_name() {
    refused("delay must not be negative, not PT-1S", SECOND.negated(), 1, 1);
    refused("concurrency must be at least 1, not 0", SECOND, 0, 1);
    refused("max-pages-per-domain must be at least 1, not 0", SECOND, 1, 0);
  }

  private static void refused(String words, Duration delay, int concurrency, long pages) {
    assertThatThrownBy(
            () ->
                new DomainTerms(
                    Optional.of(delay), OptionalInt.of(concurrency), OptionalLong.of(pages)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(words);
  }
}
