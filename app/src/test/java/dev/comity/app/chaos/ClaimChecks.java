package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.DomainRow;
import dev.comity.app.chaos.ChaosHistory.Lease;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Invariants 1, 2, 3 and 14: claims and what is done under them. */
final class ClaimChecks {
  /** How long a domain may lie without a holder after its lease, while workers have room. */
  static final Duration TAKEOVER = Duration.ofSeconds(10);

  private final ChaosHistory history;
  private final HistoryChecker checker;
  private final Map<String, List<Lease>> leases;

  ClaimChecks(ChaosHistory history, HistoryChecker checker) {
    this.history = history;
    this.checker = checker;
    leases = ChaosHistory.by(history.leases(), Lease::domain);
  }

  void all() {
    leases.values().forEach(this::oneHolder);
    history.log().forEach(this::newestToken);
    history.visits().forEach(this::underALease);
    history.log().forEach(this::underItsLease);
    leases.values().forEach(this::takenOver);
    ends();
  }

  /** Invariant 1. */
  private void oneHolder(List<Lease> ofDomain) {
    Lease last = ofDomain.getFirst();
    for (Lease next : ofDomain.subList(1, ofDomain.size())) {
      checker.require(1, next.token() >= last.token(), "a token fell: %s, then %s", last, next);
      if (next.isHeld() && next.token() == last.token()) {
        checker.require(
            1,
            next.worker().equals(last.worker()) || !last.isHeld(),
            "a token with two holders: %s, then %s",
            last,
            next);
        checker.require(1, last.isHeld(), "a claim that had ended: %s, then %s", last, next);
      } else if (next.isHeld()) {
        checker.require(
            1,
            !last.isHeld() || !last.until().isAfter(next.at()),
            "granted while it was held: %s, then %s",
            last,
            next);
      }
      last = next;
    }
  }

  /** Invariant 2. */
  private void newestToken(Logged row) {
    leases.getOrDefault(row.domain(), List.of()).stream()
        .filter(lease -> lease.token() > row.token() && lease.at().isBefore(row.writtenAt()))
        .findFirst()
        .ifPresent(newer -> checker.require(2, false, "%s was written after %s", row, newer));
  }

  /** Invariant 3, as the origin sees it. */
  private void underALease(Visit visit) {
    Instant sent = visit.at().minus(history.terms().lag());
    Optional<Lease> lease = at(visit.domain(), visit.at());
    Optional<Lease> before = at(visit.domain(), sent);
    checker.require(
        3, covers(lease, sent) || covers(before, sent), "%s without a lease: %s", visit, lease);
  }

  /** Invariant 3, as the log has it. */
  private void underItsLease(Logged row) {
    Optional<Lease> own =
        leases.getOrDefault(row.domain(), List.of()).stream()
            .filter(lease -> lease.token() == row.token() && lease.isHeld())
            .filter(lease -> !lease.at().isAfter(row.startedAt().plus(history.terms().lag())))
            .reduce((_, later) -> later);
    checker.require(3, covers(own, row.startedAt()), "%s started beyond %s", row, own);
  }

  private static boolean covers(Optional<Lease> lease, Instant at) {
    return lease.filter(one -> one.isHeld() && one.until().isAfter(at)).isPresent();
  }

  private Optional<Lease> at(String domain, Instant at) {
    return leases.getOrDefault(domain, List.of()).stream()
        .takeWhile(lease -> !lease.at().isAfter(at))
        .reduce((_, later) -> later);
  }

  /** Invariant 14: an expired lease is recovered. */
  private void takenOver(List<Lease> ofDomain) {
    for (int n = 1; n < ofDomain.size(); n++) {
      Lease last = ofDomain.get(n - 1);
      Lease next = ofDomain.get(n);
      if (last.isHeld() && !next.until().equals(last.until()) && next.at().isAfter(last.until())) {
        Duration alone = Duration.between(last.until(), next.at());
        Duration allowed = TAKEOVER.plus(history.troubled(last.until(), next.at()));
        checker.require(
            14, alone.compareTo(allowed) <= 0, "expired for %s: %s, then %s", alone, last, next);
      }
    }
  }

  /** Invariant 14: every domain had its turn, and the run is over. */
  private void ends() {
    Set<String> claimed = new HashSet<>(leases.keySet());
    for (DomainRow row : history.domains()) {
      checker.require(14, claimed.contains(row.domain()), "never claimed: %s", row.domain());
      checker.require(14, !row.isClaimed(), "still claimed: %s", row.domain());
      long queued = row.kept().getOrDefault("queued", 0L);
      checker.require(14, queued == 0, "%s has %s URLs queued", row.domain(), queued);
    }
    checker.require(
        14,
        history.run().status().equals("finished") && history.run().endings() == 1,
        "the run is not ended once: %s",
        history.run());
  }
}
