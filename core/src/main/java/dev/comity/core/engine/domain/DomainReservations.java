package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.DomainRobots.RobotsVerdict;
import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.ReservationCache;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.fetch.RobotsReader.Reservations;
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tdmrep.json files of one domain, by authority. It sends nothing: the worker fetches a file at
 * the domain's pace, before the first page of its authority. A missing file reserves nothing.
 */
final class DomainReservations {
  private final boolean asks;
  private final ReservationCache cache;
  private final ClaimedDomain claimed;
  private final DomainRobots robots;
  private final Set<Authority> beingAsked = new HashSet<>();
  private final Map<Authority, Integer> triesSpent = new HashMap<>();

  DomainReservations(CrawlContext context, ClaimedDomain claimed, DomainRobots robots) {
    asks = context.plan().asksReservations();
    cache = context.reservations();
    this.claimed = claimed;
    this.robots = robots;
  }

  /** Whether URLs of this kind can be reserved from this crawl. */
  boolean concern(Kind kind) {
    return asks && kind.speaksForTheSite();
  }

  /** Whether the file is on its way. */
  boolean isAsking(Authority authority) {
    return beingAsked.contains(authority);
  }

  /**
   * What the URL's authority reserves; empty if its file must be fetched first. A file that
   * robots.txt denies is not fetched.
   */
  Optional<Reservations> of(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    Optional<Reservations> known = cache.find(authority, now);
    if (known.isEmpty()
        && robots.verdict(authority.tdmRep(), now) instanceof RobotsVerdict.Denied) {
      return Optional.of(Reservations.NONE);
    }
    return known;
  }

  int triesSpent(Authority authority) {
    return triesSpent.getOrDefault(authority, 0);
  }

  void asking(Authority authority) {
    beingAsked.add(authority);
  }

  /** The request failed through no fault of the site. */
  void notAsked(Authority authority) {
    beingAsked.remove(authority);
  }

  /** Takes in the answer. A redirect counts as no file: its target speaks for its own authority. */
  void land(Completed answer, Attempt attempt, Fate fate) {
    Authority authority = answer.task().url().authority();
    beingAsked.remove(authority);
    Optional<RobotsCopy> read = Optional.empty();
    switch (fate) {
      case Fate.Done _ -> {
        triesSpent.remove(authority);
        read =
            Optional.of(
                cache.answered(
                    authority,
                    answer.fetched().outcome() instanceof Success success
                        ? Optional.of(success.body())
                        : Optional.empty(),
                    answer.at()));
      }
      case Fate.Retry(var _, var spendsRetry) ->
          triesSpent.merge(authority, spendsRetry ? 1 : 0, Integer::sum);
      case Fate _ -> {
        triesSpent.remove(authority);
        cache.unanswered(authority, answer.at());
      }
    }
    claimed.record(Optional.of(new Exchange(attempt, answer.fetched())), read, List.of());
  }
}
