package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the state of a domain may leave the memory of a crawl that stores nothing. */
class IdleDomainTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final CrawlUrl URL = CrawlUrl.of("http://site.example/");

  private final DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);

  @Test
  void it_may_after_an_hour_without_use_and_no_sooner() {
    Instant hourLater = NOON.plus(Duration.ofHours(1));
    assertThat(policy.isIdle(DomainState.FRESH, NOON, hourLater.minusMillis(1))).isFalse();
    assertThat(policy.isIdle(DomainState.FRESH, NOON, hourLater)).isTrue();
  }

  @Test
  void it_may_not_before_it_is_due() {
    DomainState resting = refusedFor(Duration.ofHours(5));
    Instant due = policy.nextStart(resting);
    assertThat(due).isAfterOrEqualTo(NOON.plus(Duration.ofHours(5)));
    assertThat(policy.isIdle(resting, NOON, due.minusMillis(1))).isFalse();
    assertThat(policy.isIdle(resting, NOON, due)).isTrue();
  }

  @Test
  void it_may_not_while_the_domain_is_closed() {
    DomainState closed = policy.denied(DomainState.FRESH, NOON);
    assertThat(policy.isIdle(closed, NOON, NOON.plus(Duration.ofDays(400)))).isFalse();
  }

  @Test
  void what_the_site_asked_for_and_where_it_stands_are_kept() {
    DomainState state = policy.emptied(refusedFor(Duration.ofMinutes(5)), NOON);
    DomainState asked =
        policy.limited(state, state.limits().withCrawlDelay(Duration.ofSeconds(30)));
    DomainState forgotten = policy.forgotten(asked);
    assertThat(forgotten.standing()).isEqualTo(asked.standing());
    assertThat(policy.pace(forgotten).effective()).isEqualTo(Duration.ofSeconds(30));
    assertThat(forgotten.learning()).isEqualTo(LearnedDelay.NOTHING);
    assertThat(forgotten.slots()).isEqualTo(Slots.FRESH);
  }

  private DomainState refusedFor(Duration time) {
    Attempt attempt = new Attempt(URL, Kind.PAGE, 1, NOON, Duration.ofSeconds(1));
    DomainState started = policy.started(policy.claimed(DomainState.FRESH, NOON), attempt);
    Fetched refused =
        new Fetched(
            new RateLimited(429, Optional.of(time)), Optional.of(Duration.ZERO), Duration.ZERO, 0);
    return policy.decide(started, attempt, refused, NOON).state();
  }
}
