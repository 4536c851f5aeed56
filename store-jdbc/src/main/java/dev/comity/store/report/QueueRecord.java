package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How much there is to do, and the claims of workers.
 *
 * @param claims by worker, of those that are at work
 * @param expiredClaims claims that are left of a process that is gone
 * @param waiting pending and active domains without a claim, by status
 */
public record QueueRecord(
    Urls urls, List<WorkerClaims> claims, long expiredClaims, Map<String, Long> waiting) {

  public QueueRecord {
    claims = List.copyOf(claims);
    waiting = new TreeMap<>(waiting);
  }

  /**
   * URLs by where they stand, in all or of one domain.
   *
   * @param domain empty for all of them
   * @param refused those of the denied that a wish of their site refuses
   * @param firstDue when the first of the deferred may be asked
   */
  public record Urls(
      Optional<String> domain,
      long queued,
      long deferred,
      Optional<Instant> firstDue,
      long inFlight,
      long done,
      long failed,
      long denied,
      long refused,
      long setAside,
      long suppressed,
      long skipped,
      long overCap) {

    static Urls read(ResultRow row) {
      long unfinished = row.number("unfinished");
      long deferred = row.number("deferred");
      long inFlight = row.number("in_flight");
      return new Urls(
          row.optionalText("domain"),
          Math.max(0, unfinished - deferred - inFlight),
          deferred,
          row.optionalTime("first_due"),
          inFlight,
          row.number("urls_done"),
          row.number("urls_failed"),
          row.number("urls_denied"),
          row.number("urls_refused"),
          row.number("urls_set_aside"),
          row.number("urls_suppressed"),
          row.number("urls_skipped"),
          row.number("over_cap"));
    }
  }

  /** What one worker holds. */
  public record WorkerClaims(String worker, long domains, Instant earliestExpiry) {}
}
