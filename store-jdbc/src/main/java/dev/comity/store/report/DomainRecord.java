package dev.comity.store.report;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.Reports.DomainReport;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that is known about one domain, as it was when it was read. Columns that nothing fills yet
 * are left out.
 *
 * @param terms what its operator has set
 * @param remembered the value that decides how the domain is treated; where it cannot be read, that
 *     of a fresh domain
 * @param damage what of it cannot be read; a crawl sets it aside for that until it is reset
 * @param origin what it came from: a file, the command line, a source; empty for a link
 * @param resetByHand whether its status was written by hand, and the next crawl carries that out
 */
public record DomainRecord(
    long id,
    String name,
    String parent,
    StoredStanding standing,
    Holding holding,
    DomainCounts counts,
    Pacing pacing,
    Times times,
    OperatorTerms terms,
    DomainState remembered,
    Optional<String> damage,
    Optional<String> origin,
    boolean resetByHand) {

  /**
   * Where it stands.
   *
   * @param until when its cooldown, or the time to its next refresh, ends
   */
  public record StoredStanding(
      DomainStatus status,
      Optional<String> reasonCode,
      Optional<String> reason,
      Optional<Instant> firstBlockedAt,
      Optional<Instant> until,
      long cooldowns) {}

  /**
   * Its claim, and when it may be claimed.
   *
   * @param claimableAt 0 for now, a time for later, empty for not at all
   * @param spentRun the run that leaves it alone from now on
   * @param hadShare whether it does so because it has had what it may have of it; else the domain
   *     is none of its own
   */
  public record Holding(
      Optional<String> worker,
      Optional<Instant> until,
      long token,
      long version,
      boolean unclean,
      OptionalLong claimableAt,
      OptionalLong spentRun,
      boolean hadShare,
      long priority) {}

  /**
   * What was done, over all runs. What others put into the frontier is in here even where its
   * holder has not counted it yet.
   *
   * @param skipped URLs of a type that is not kept, asked or not
   * @param pages URLs that were a page; asked again in another run, one is the same page
   * @param pageRequests requests for pages
   * @param errors how many of these the site refused, broke or did not answer
   * @param imagesFound images that its pages show
   * @param imagesStored different images of its pages that were taken, whatever host they lie on
   */
  public record DomainCounts(
      long discovered,
      long unfinished,
      long done,
      long failed,
      long denied,
      long setAside,
      long suppressed,
      long skipped,
      long linksSuppressed,
      long overCap,
      long pages,
      long requests,
      long pageRequests,
      long errors,
      long errorsInARow,
      long depth,
      long imagesFound,
      long imagesStored) {

    /** Images stored for each page; empty without a page. */
    public Optional<Double> imageYield() {
      return pages == 0 ? Optional.empty() : Optional.of((double) imagesStored / pages);
    }
  }

  /**
   * How it is asked.
   *
   * @param runMinimum the shortest interval of the run that asked it last
   */
  public record Pacing(
      Optional<Duration> runMinimum,
      Duration crawlDelay,
      Duration learned,
      Optional<Duration> floor,
      Optional<Duration> refused,
      Optional<Instant> notBefore,
      long successesInARow,
      long refusalsInARow,
      Optional<Duration> latencyAverage,
      Optional<Duration> latencyHigh) {}

  /** When things happened. */
  public record Times(
      Instant firstSeen,
      Optional<Instant> lastStart,
      Optional<Instant> lastSuccess,
      Optional<Instant> lastCrawled,
      OptionalLong lastRun,
      Instant updated) {}

  /** The part of it that every store has. */
  DomainReport report() {
    return new DomainReport(
        remembered,
        terms,
        holding
            .worker()
            .map(
                worker ->
                    new LiveClaim(
                        new DomainName(name),
                        worker,
                        holding.token(),
                        times.lastCrawled().orElseThrow(),
                        holding.until().orElseThrow())),
        counts.unfinished(),
        counts.pages(),
        counts.pageRequests(),
        counts.errors(),
        counts.imagesStored());
  }

  static DomainRecord read(ResultRow row) {
    boolean resetByHand = row.isSet("reset_by_hand");
    Stored<DomainState> stored =
        Stored.state(row.text("domain"), row.text("policy_state"), row.text("status"), resetByHand);
    return new DomainRecord(
        row.number("id"),
        row.text("domain"),
        row.text("parent_domain"),
        standing(row),
        holding(row),
        counts(row),
        pacing(row),
        new Times(
            row.time("first_seen_at"),
            row.optionalTime("last_start_at"),
            row.optionalTime("last_success_at"),
            row.optionalTime("last_crawled_at"),
            row.optionalNumber("last_crawl_run_id"),
            row.time("updated_at")),
        TermsColumns.read(row),
        stored.value().orElse(DomainState.FRESH),
        row.optionalText("damage").or(stored::damage),
        row.optionalText("source"),
        resetByHand);
  }

  private static StoredStanding standing(ResultRow row) {
    return new StoredStanding(
        StateColumns.status(row.text("status")),
        row.optionalText("block_reason_code"),
        row.optionalText("block_reason"),
        row.optionalTime("first_blocked_at"),
        row.optionalTime("next_crawl_after"),
        row.number("cooldown_count"));
  }

  private static Holding holding(ResultRow row) {
    return new Holding(
        row.optionalText("claimed_by"),
        row.optionalTime("claim_expires_at"),
        row.number("claim_token"),
        row.number("version"),
        row.isSet("unclean"),
        row.optionalNumber("claimable_at"),
        row.optionalNumber("spent_run_id"),
        row.isSet("had_share"),
        row.number("priority_score"));
  }

  private static DomainCounts counts(ResultRow row) {
    long late = row.number("late_discovered");
    long lateOverCap = row.number("late_over_cap");
    long lateSkipped = row.number("late_skipped");
    return new DomainCounts(
        row.number("pages_discovered") + late + lateOverCap + lateSkipped,
        row.number("frontier_size") + row.number("frontier_elsewhere") + late,
        row.number("urls_done"),
        row.number("urls_failed"),
        row.number("urls_denied"),
        row.number("urls_set_aside"),
        row.number("urls_suppressed"),
        row.number("urls_skipped") + lateSkipped,
        row.number("links_suppressed"),
        row.number("urls_over_cap") + lateOverCap,
        row.number("pages_crawled"),
        row.number("requests"),
        row.number("page_requests"),
        row.number("total_error_count"),
        row.number("consecutive_error_count"),
        row.number("crawl_depth_reached"),
        row.number("images_found"),
        row.number("images_stored") + row.number("late_images"));
  }

  private static Pacing pacing(ResultRow row) {
    return new Pacing(
        row.optionalMillis("run_minimum_ms"),
        row.millis("crawl_delay_ms"),
        row.millis("adaptive_delay_ms"),
        row.optionalMillis("adaptive_delay_floor_ms"),
        row.optionalMillis("refused_delay_ms"),
        row.optionalTime("not_before"),
        row.number("success_streak"),
        row.number("refusal_streak"),
        row.optionalMillis("latency_avg_ms"),
        row.optionalMillis("latency_p95_ms"));
  }
}
