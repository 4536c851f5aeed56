package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run and how far it came.
 *
 * @param status running, interrupted (open, and no crawl is at work), finished, failed or
 *     superseded
 * @param lives how many processes have worked on it
 * @param seeds the first few of where it starts
 * @param jobs how many domains it has in each state of a job
 */
public record RunRecord(
    long id,
    String status,
    long pages,
    long maxPages,
    long maxPagesPerDomain,
    long lives,
    Instant startedAt,
    Optional<Instant> resumedAt,
    Optional<Instant> endedAt,
    Optional<String> endReason,
    List<String> seeds,
    long seedCount,
    JobCounts jobs) {

  private static final String INTERRUPTED = "interrupted";

  public RunRecord {
    seeds = List.copyOf(seeds);
  }

  /** The domains' shares of a run, by how they stand. */
  public record JobCounts(long open, long done, long failed, long spent) {
    /** All of them. */
    public long all() {
      return open + done + failed + spent;
    }
  }

  /** Whether it is open and no process works on it. */
  public boolean isInterrupted() {
    return status.equals(INTERRUPTED);
  }

  static RunRecord read(ResultRow row, List<String> seeds, boolean crawled) {
    String status = row.text("status");
    return new RunRecord(
        row.number("id"),
        status.equals("running") && !crawled ? INTERRUPTED : status,
        row.number("all_pages"),
        row.number("max_pages"),
        row.number("max_pages_per_domain"),
        row.number("lives"),
        row.time("started_at"),
        row.optionalTime("resumed_at"),
        row.optionalTime("ended_at"),
        row.optionalText("end_reason"),
        seeds,
        row.number("seed_count"),
        new JobCounts(
            row.number("jobs_open"),
            row.number("jobs_done"),
            row.number("jobs_failed"),
            row.number("jobs_spent")));
  }
}
