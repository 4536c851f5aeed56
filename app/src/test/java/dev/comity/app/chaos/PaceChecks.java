package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.Change;
import dev.comity.app.chaos.ChaosHistory.DomainRow;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Invariants 4 to 7: when requests start, and how many at once. */
final class PaceChecks {
  private static final Set<String> CLOSED = Set.of("blocked", "unreachable");

  private final ChaosHistory history;
  private final HistoryChecker checker;
  private final Map<String, List<Logged>> logged;

  PaceChecks(ChaosHistory history, HistoryChecker checker) {
    this.history = history;
    this.checker = checker;
    logged = ChaosHistory.by(history.log(), Logged::url);
  }

  void all() {
    history.visitsByDomain().values().forEach(this::spaced);
    ChaosHistory.by(history.log(), Logged::domain).values().forEach(this::loggedSpaced);
    history.visitsByDomain().values().forEach(this::fewAtOnce);
    history.log().forEach(this::longEnough);
    history.domains().forEach(this::learned);
    history.visitsByDomain().values().forEach(this::rested);
    closed();
  }

  /** Invariant 4, as the origin sees it. */
  private void spaced(List<Visit> ofDomain) {
    Duration least = history.terms().delay().minus(history.terms().lag());
    for (int n = 1; n < ofDomain.size(); n++) {
      Duration gap = Duration.between(ofDomain.get(n - 1).at(), ofDomain.get(n).at());
      checker.require(
          4,
          gap.compareTo(least) >= 0,
          "%s between %s and %s",
          gap,
          ofDomain.get(n - 1),
          ofDomain.get(n));
    }
  }

  /** Invariant 4, as the log has it: exact under one claim, since one clock counts. */
  private void loggedSpaced(List<Logged> ofDomain) {
    List<Logged> rows = ofDomain.stream().sorted(Comparator.comparing(Logged::startedAt)).toList();
    for (int n = 1; n < rows.size(); n++) {
      Logged last = rows.get(n - 1);
      Logged next = rows.get(n);
      Duration lag = last.token() == next.token() ? Duration.ZERO : history.terms().lag();
      Duration gap = Duration.between(last.startedAt(), next.startedAt());
      checker.require(
          4, gap.compareTo(next.delay().minus(lag)) >= 0, "%s between %s and %s", gap, last, next);
    }
  }

  /** Invariant 5. */
  private void fewAtOnce(List<Visit> ofDomain) {
    for (Visit visit : ofDomain) {
      long others =
          ofDomain.stream()
              .filter(other -> !other.at().isAfter(visit.at()) && other.until().isAfter(visit.at()))
              .count();
      checker.require(
          5, others <= history.terms().concurrency(), "%s at once at %s", others, visit);
    }
  }

  /** Invariant 6: no delay is shorter than the base. */
  private void longEnough(Logged row) {
    checker.require(
        6, row.delay().compareTo(history.terms().delay()) >= 0, "a delay too short: %s", row);
  }

  /** Invariants 5 and 6, at the end. */
  private void learned(DomainRow row) {
    checker.require(5, row.inFlight() == 0, "%s in flight at the end: %s", row.inFlight(), row);
    boolean holds =
        row.refused()
            .filter(refused -> refused.compareTo(row.learned()) >= 0 || isTooLong(row.learned()))
            .isEmpty();
    checker.require(6, holds, "refused and learned: %s", row);
  }

  private boolean isTooLong(Duration learned) {
    return learned.compareTo(history.terms().cap()) > 0;
  }

  /** Invariant 7: an answer that was kept is obeyed. */
  private void rested(List<Visit> ofDomain) {
    Map<String, Instant> rests = new HashMap<>();
    for (Visit visit : ofDomain) {
      Instant until = rests.getOrDefault(visit.domain(), Instant.MIN);
      checker.require(
          7, !visit.at().isBefore(until), "%s before the rest is over at %s", visit, until);
      if (visit.retryAfter().isPresent() && isLogged(visit)) {
        Instant end = visit.at().plus(visit.retryAfter().get()).minus(history.terms().lag());
        rests.merge(visit.domain(), end, (one, other) -> one.isAfter(other) ? one : other);
      }
    }
  }

  /** Whether the answer to this request was written: no worker died with it. */
  boolean isLogged(Visit visit) {
    return logged.getOrDefault(visit.url(), List.of()).stream().anyMatch(row -> isSame(visit, row));
  }

  /** Two requests to one domain are a delay apart, so that one nearer is the same. */
  boolean isSame(Visit visit, Logged row) {
    Duration apart = Duration.between(row.startedAt(), visit.at()).abs();
    return apart.compareTo(history.terms().delay()) < 0;
  }

  /** Invariant 7: no request while a domain is closed. */
  private void closed() {
    Map<String, List<Visit>> visits = history.visitsByDomain();
    ChaosHistory.by(history.changes(), Change::domain)
        .forEach(
            (domain, changes) -> {
              for (int n = 0; n < changes.size(); n++) {
                if (CLOSED.contains(changes.get(n).to())) {
                  // What was in flight when it was closed had started before.
                  Instant from = changes.get(n).at().plus(history.terms().lag());
                  Instant until = n + 1 < changes.size() ? changes.get(n + 1).at() : Instant.MAX;
                  visits.getOrDefault(domain, List.of()).stream()
                      .filter(visit -> visit.at().isAfter(from) && visit.at().isBefore(until))
                      .forEach(visit -> checker.require(7, false, "asked while closed: %s", visit));
                }
              }
            });
  }
}
