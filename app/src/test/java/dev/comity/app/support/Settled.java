package dev.comity.app.support;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Settlements as the engine makes them, for what listens to it. */
public final class Settled {
  public static final CrawlUrl URL = CrawlUrl.of("http://site.example/");
  public static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private Settled() {}

  /** An answer with that status; what it holds does not matter. */
  public static Settlement answered(int status) {
    return answered(new ClientError(status), Optional.empty());
  }

  public static Settlement answered(FetchOutcome outcome, Optional<PageContent> content) {
    Fetched fetched =
        new Fetched(outcome, Optional.of(Duration.ofMillis(7)), Duration.ofMillis(12), 34);
    Attempt attempt = attempt(URL, NOON);
    return of(
        Optional.of(attempt), Optional.of(fetched), new Fate.Done(outcome.category()), content);
  }

  public static Attempt attempt(CrawlUrl url, Instant startedAt) {
    return new Attempt(url, Kind.PAGE, 1, startedAt, Duration.ofSeconds(1));
  }

  public static Settlement failed(Category reason) {
    return of(new Fate.Failed(reason));
  }

  public static Settlement denied() {
    return of(new Fate.Denied());
  }

  public static Settlement suppressed() {
    return of(new Fate.Suppressed());
  }

  public static Settlement later() {
    return of(new Fate.Retry(NOON, true));
  }

  private static Settlement of(Fate fate) {
    return of(Optional.empty(), Optional.empty(), fate, Optional.empty());
  }

  private static Settlement of(
      Optional<Attempt> attempt,
      Optional<Fetched> fetched,
      Fate fate,
      Optional<PageContent> content) {
    return new Settlement(
        QueuedUrl.seed(URL, Optional.empty()),
        attempt,
        fetched,
        fate,
        DomainState.FRESH,
        List.of(),
        content);
  }
}
