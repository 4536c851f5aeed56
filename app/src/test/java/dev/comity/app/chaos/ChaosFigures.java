package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.Fault;
import dev.comity.app.chaos.ChaosHistory.Lease;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A chaos run in figures. */
record ChaosFigures(ChaosHistory history, Instant start, Instant end) {

  String words(String scenario, long seed) {
    List<Visit> pages =
        history.visits().stream().filter(v -> v.isPage() && v.status() == 200).toList();
    Set<String> distinct = new HashSet<>();
    pages.forEach(visit -> distinct.add(visit.url()));
    Duration asking = Duration.between(first(pages), last(pages));
    return """
    scenario %s, seed %d: %d workers joined, %d domains, %d requests, %d pages, of these %d asked again
    %d requests were not written (in flight at a fault); faults %s
    shortest gap %d ms at the origin, %d ms in the log; longest without a holder after a lease %d ms
    %d s in all, %d s of requests, %.0f pages/s; busiest ten seconds %.0f pages/s; load %.1f; run %s
    """
        .formatted(
            scenario,
            seed,
            history.leases().stream()
                .map(Lease::worker)
                .filter(w -> !w.isEmpty())
                .distinct()
                .count(),
            history.domains().size(),
            history.visits().size(),
            pages.size(),
            pages.size() - distinct.size(),
            unwritten(),
            faults(),
            originGap().toMillis(),
            logGap().toMillis(),
            longestAlone().toMillis(),
            Duration.between(start, end).toSeconds(),
            asking.toSeconds(),
            pages.size() * 1000.0 / Math.max(1, asking.toMillis()),
            busiest(pages),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            history.run());
  }

  private static Instant first(List<Visit> visits) {
    return visits.stream().map(Visit::at).min(Comparator.naturalOrder()).orElse(Instant.EPOCH);
  }

  private static Instant last(List<Visit> visits) {
    return visits.stream().map(Visit::at).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
  }

  private long unwritten() {
    PaceChecks paces = new PaceChecks(history, new HistoryChecker(history));
    return history.visits().stream().filter(visit -> !paces.isLogged(visit)).count();
  }

  private Map<String, Integer> faults() {
    Map<String, Integer> kinds = new TreeMap<>();
    for (Fault fault : history.faults()) {
      kinds.merge(fault.kind().split(" ", 2)[0], 1, Integer::sum);
    }
    return kinds;
  }

  private Duration originGap() {
    return history.visitsByDomain().values().stream()
        .map(visits -> shortest(visits.stream().map(Visit::at).toList()))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private Duration logGap() {
    return ChaosHistory.by(history.log(), Logged::domain).values().stream()
        .map(rows -> shortest(rows.stream().map(Logged::startedAt).sorted().toList()))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private static Duration shortest(List<Instant> times) {
    Duration shortest = Duration.ofDays(1);
    for (int n = 1; n < times.size(); n++) {
      Duration gap = Duration.between(times.get(n - 1), times.get(n));
      shortest = gap.compareTo(shortest) < 0 ? gap : shortest;
    }
    return shortest;
  }

  /** The longest time from a lease's end to the next grant of that domain. */
  private Duration longestAlone() {
    Duration longest = Duration.ZERO;
    for (List<Lease> leases : ChaosHistory.by(history.leases(), Lease::domain).values()) {
      Lease held = leases.getFirst();
      for (Lease next : leases) {
        boolean isGrant = next.isHeld() && next.token() > held.token();
        if (isGrant && next.at().isAfter(held.until())) {
          Duration alone = Duration.between(held.until(), next.at());
          longest = alone.compareTo(longest) > 0 ? alone : longest;
        }
        held = next.isHeld() ? next : held;
      }
    }
    return longest;
  }

  private static double busiest(List<Visit> visits) {
    Map<Long, Integer> tens = new TreeMap<>();
    visits.forEach(visit -> tens.merge(visit.at().getEpochSecond() / 10, 1, Integer::sum));
    return tens.values().stream().mapToInt(Integer::intValue).max().orElse(0) / 10.0;
  }
}
