package dev.comity.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.usage.Wishes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each event of a crawl moves its own counter and no other. */
class MetersTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final CrawlUrl URL = CrawlUrl.of("http://site.example/");
  private static final DomainName DOMAIN = URL.domain();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private static Claim claim(boolean takenOver) {
    return new Claim(
        DOMAIN,
        1,
        DomainState.FRESH,
        takenOver,
        JobProgress.NONE,
        NOON.plusSeconds(60),
        OperatorTerms.NONE);
  }

  private void start(long millis) {
    meters.started(
        DOMAIN, new Attempt(URL, Kind.PAGE, 1, NOON.plusMillis(millis), Duration.ofSeconds(1)));
  }

  private void settle(Fate fate) {
    meters.settled(
        DOMAIN,
        new Settlement(
            QueuedUrl.seed(URL, Optional.empty()),
            Optional.empty(),
            Optional.empty(),
            fate,
            DomainState.FRESH,
            List.of(),
            Optional.empty()));
  }

  @Test
  void claims_are_won_expired_before_and_lost() {
    meters.claimed(claim(false));
    meters.claimed(claim(true));
    meters.ended(DOMAIN, new Ending.Lost());
    meters.ended(DOMAIN, new Ending.Exhausted());
    meters.ended(DOMAIN, new Ending.SetAside("its state cannot be read"));
    assertThat(count("comity.claims", "result", "won")).isEqualTo(2);
    assertThat(count("comity.claims", "result", "expired")).isEqualTo(1);
    assertThat(count("comity.claims", "result", "lost")).isEqualTo(1);
  }

  @Test
  void a_request_that_comes_too_soon_is_a_violation() {
    start(0);
    start(1000);
    assertThat(count("comity.spacing.violations")).isZero();
    start(1999);
    assertThat(count("comity.spacing.violations")).isEqualTo(1);
  }

  @Test
  void how_late_a_request_is_goes_into_the_histogram() {
    start(0);
    meters.waiting(DOMAIN, NOON.plusMillis(1000), "the delay");
    start(1008);
    assertThat(registry.get("comity.spacing.error").timer().count()).isEqualTo(1);
    assertThat(
            registry
                .get("comity.spacing.error")
                .timer()
                .totalTime(java.util.concurrent.TimeUnit.MILLISECONDS))
        .isEqualTo(8);
  }

  @Test
  void only_a_try_that_is_spent_is_a_retry() {
    settle(new Fate.Retry(NOON, true));
    settle(new Fate.Retry(NOON, false));
    settle(new Fate.Denied());
    assertThat(count("comity.retries")).isEqualTo(1);
    assertThat(count("comity.pages")).isZero();
  }

  private void settleImage(Fate fate, Optional<FetchOutcome> outcome, ImageFinds finds) {
    QueuedUrl image = QueuedUrl.seed(URL, Optional.empty()).image(URL);
    meters.settled(
        DOMAIN,
        new Settlement(
            image,
            Optional.of(new Attempt(URL, Kind.IMAGE, 1, NOON, Duration.ZERO)),
            outcome.map(one -> new Fetched(one, Optional.empty(), Duration.ZERO, 0)),
            fate,
            DomainState.FRESH,
            List.of(),
            Optional.empty(),
            List.of(),
            finds));
  }

  @Test
  void images_are_counted_as_stored_or_skipped_by_reason() {
    ImageFacts facts =
        new ImageFacts(
            Body.of(new byte[32]),
            "image/png",
            "png",
            9,
            OptionalInt.of(64),
            OptionalInt.of(64),
            OptionalLong.empty(),
            Wishes.NONE,
            false);
    Fate done = new Fate.Done(Category.SUCCESS);
    settleImage(done, Optional.empty(), ImageFinds.taken(facts));
    settleImage(new Fate.Denied(), Optional.empty(), ImageFinds.NONE);
    settleImage(new Fate.Failed(Category.TIMEOUT), Optional.empty(), ImageFinds.NONE);
    settleImage(
        new Fate.Skipped(), Optional.of(new FetchOutcome.TooSmall(200, "1 × 1")), ImageFinds.NONE);
    settleImage(new Fate.Retry(NOON, true), Optional.empty(), ImageFinds.NONE);
    FetchOutcome moved = new FetchOutcome.Redirect(301, Optional.of(URL));
    settleImage(done, Optional.of(moved), ImageFinds.NONE);
    assertThat(count("comity.images.stored")).isEqualTo(1);
    assertThat(count("comity.images.skipped", "reason", "robots_denied")).isEqualTo(1);
    assertThat(count("comity.images.skipped", "reason", "wish")).isZero();
    assertThat(count("comity.images.skipped", "reason", "timeout")).isEqualTo(1);
    assertThat(count("comity.images.skipped", "reason", "too_small")).isEqualTo(1);
    double skipped =
        registry.find("comity.images.skipped").counters().stream()
            .mapToDouble(Counter::count)
            .sum();
    assertThat(skipped).isEqualTo(3);
    assertThat(count("comity.pages")).isZero();
  }

  @Test
  void overrides_cancellations_and_closed_domains_are_counted() {
    meters.changed(DOMAIN, new Change.Concurrency(5, 1));
    meters.changed(DOMAIN, new Change.Concurrency(1, 5));
    meters.changed(DOMAIN, new Change.Concurrency(5, 4));
    meters.ended(DOMAIN, new Ending.JobFailed("20 URLs in a row failed"));
    meters.ended(
        DOMAIN,
        new Ending.Closed(
            new Standing(
                DomainStatus.BLOCKED, Optional.of(CloseReason.FORBIDDEN), Optional.of(NOON), 1)));
    assertThat(count("comity.concurrency.overrides", "direction", "down")).isEqualTo(2);
    assertThat(count("comity.concurrency.overrides", "direction", "up")).isEqualTo(1);
    assertThat(count("comity.cancellations")).isEqualTo(1);
    assertThat(count("comity.domains.closed", "reason", "forbidden")).isEqualTo(1);
    assertThat(count("comity.domains.closed", "reason", "timeout")).isZero();
  }

  @Test
  void gauges_tell_of_the_moment_somebody_looked() {
    assertThat(registry.get("comity.urls.queued").gauge().value()).isNaN();
    meters.watch(
        () -> new CrawlSnapshot(7, 2, 3, true, Optional.empty(), List.of()),
        () -> Optional.of(new Census(42, 0, Map.of(DomainStatus.PENDING, 5L))));
    assertThat(registry.get("comity.requests.in.flight").gauge().value()).isZero();
    meters.look();
    assertThat(registry.get("comity.requests.in.flight").gauge().value()).isEqualTo(7);
    assertThat(registry.get("comity.requests.ready").gauge().value()).isEqualTo(2);
    assertThat(registry.get("comity.limiter.entries").gauge().value()).isEqualTo(3);
    assertThat(registry.get("comity.outage").gauge().value()).isEqualTo(1);
    assertThat(registry.get("comity.urls.queued").gauge().value()).isEqualTo(42);
    assertThat(registry.get("comity.domains").tag("status", "pending").gauge().value())
        .isEqualTo(5);
  }
}
