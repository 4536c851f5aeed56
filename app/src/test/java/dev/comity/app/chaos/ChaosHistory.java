package dev.comity.app.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a fleet did, as its origin and its database tell it. All times are of one machine's clock.
 *
 * @param visits requests as the origin saw them
 * @param leases every grant, renewal and end of a claim, in the order of their writing
 */
record ChaosHistory(
    Terms terms,
    List<Visit> visits,
    List<Lease> leases,
    List<Logged> log,
    List<Change> changes,
    List<DomainRow> domains,
    List<Fault> faults,
    RunRow run) {
  private static final List<String> LOSSES = List.of("REDIS_FLUSH", "REDIS_CUT");

  /**
   * What the fleet was told.
   *
   * @param lag how late the origin may notice a request
   * @param cap the longest delay that may be learned
   * @param matrix statuses that may follow one another: from, to, door
   * @param allowed every URL that may be asked
   * @param pages every page that must be had
   */
  record Terms(
      Duration delay,
      Duration lag,
      Duration lease,
      int concurrency,
      long maxPages,
      long maxPagesPerDomain,
      Duration cap,
      Set<List<String>> matrix,
      Set<String> allowed,
      Set<String> pages) {}

  record Visit(
      String domain,
      String url,
      Instant at,
      Instant until,
      int status,
      Optional<Duration> retryAfter) {
    boolean isPage() {
      return !url.endsWith("/robots.txt");
    }
  }

  /**
   * A claim after one change.
   *
   * @param worker empty once the claim has ended
   */
  record Lease(String domain, long token, String worker, Instant until, Instant at) {
    boolean isHeld() {
      return !worker.isEmpty();
    }
  }

  /** A request as the log has it; {@code writtenAt} is the server's time of its writing. */
  record Logged(
      String domain,
      String url,
      long token,
      Instant startedAt,
      Instant writtenAt,
      Duration delay,
      int status,
      String fate,
      boolean isPage) {}

  /** A change of a domain's status, in the order of their writing. */
  record Change(String domain, String from, String to, String door, Instant at) {}

  /**
   * A domain's row at the end, beside what was counted in the other tables.
   *
   * @param kept its URLs by their state
   * @param counted the row's counters by the names of these states
   */
  record DomainRow(
      String domain,
      boolean isClaimed,
      long inFlight,
      long discovered,
      long overCap,
      Map<String, Long> kept,
      Map<String, Long> counted,
      long requests,
      long pages,
      long keptPages,
      long jobPages,
      Optional<Duration> refused,
      Duration learned) {}

  /** Something that was broken on purpose, and for how long. */
  record Fault(String kind, Instant at, Instant until) {}

  /**
   * The run at the end.
   *
   * @param pages as its row counts them
   * @param endings how often its status became another
   */
  record RunRow(String status, long pages, long endings) {}

  /** Parts by a key, each in its order. */
  static <T> Map<String, List<T>> by(List<T> all, Function<T, String> key) {
    Map<String, List<T>> parts = new TreeMap<>();
    all.forEach(one -> parts.computeIfAbsent(key.apply(one), _ -> new ArrayList<>()).add(one));
    return parts;
  }

  Map<String, List<Visit>> visitsByDomain() {
    return by(visits.stream().sorted(Comparator.comparing(Visit::at)).toList(), Visit::domain);
  }

  /** Whether something was broken between these times, or had been shortly before. */
  boolean isTroubled(Instant from, Instant to) {
    return faults.stream()
        .anyMatch(
            fault -> fault.at().isBefore(to) && fault.until().plus(terms.lease()).isAfter(from));
  }

  /** How often queues had been lost by then: known pages are asked once more for their links. */
  long lossesBefore(Instant at) {
    return faults.stream()
        .filter(fault -> LOSSES.stream().anyMatch(fault.kind()::startsWith))
        .filter(fault -> fault.at().isBefore(at))
        .count();
  }

  /** How much of this time was troubled, or was needed to find that out. */
  Duration troubled(Instant from, Instant to) {
    Duration sum = Duration.ZERO;
    for (Fault fault : faults) {
      Instant end = fault.until().plus(terms.lease());
      Instant start = fault.at().isAfter(from) ? fault.at() : from;
      Instant last = end.isBefore(to) ? end : to;
      if (last.isAfter(start)) {
        sum = sum.plus(Duration.between(start, last));
      }
    }
    return sum;
  }
}
