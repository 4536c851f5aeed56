package dev.comity.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.DomainStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that is kept about one domain, as it was when it was read.
 *
 * @param state what politeness remembers, as it was written; {@link #remembered} reads it
 */
public record DomainRecord(
    long id,
    String name,
    String parent,
    Standing standing,
    Holding holding,
    Counts counts,
    Wishes wishes,
    Asking asking,
    Times times,
    String state) {

  /**
   * Where it stands.
   *
   * @param until when its cooldown, or the time to its next refresh, ends
   */
  public record Standing(
      DomainStatus status,
      Optional<String> reasonCode,
      Optional<String> reason,
      Optional<Instant> firstBlockedAt,
      Optional<Instant> until,
      long cooldowns) {}

  /**
   * Who holds it, and when somebody may.
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
   */
  public record Counts(
      long discovered,
      long unfinished,
      long done,
      long failed,
      long denied,
      long setAside,
      long suppressed,
      long overCap,
      long pages,
      long requests,
      long errors,
      long errorsInARow,
      long imagesFound,
      long imagesStored,
      Optional<Double> yield,
      long depth) {}

  /** What the operator wants. */
  public record Wishes(
      OptionalLong maxPagesPerRun,
      OptionalLong maxConcurrency,
      Optional<Duration> minimumInterval,
      boolean paused) {}

  /**
   * How it is asked.
   *
   * @param runMinimum the shortest interval of the run that asked it last
   */
  public record Asking(
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

  /** The value that decides how the domain is treated. */
  public DomainState remembered() {
    return DomainStateJson.decode(state);
  }

  static DomainRecord read(FoundRow row) {
    return new DomainRecord(
        row.number("id"),
        row.text("domain"),
        row.text("parent_domain"),
        standing(row),
        holding(row),
        counts(row),
        wishes(row),
        asking(row),
        new Times(
            row.time("first_seen_at"),
            row.optionalTime("last_start_at"),
            row.optionalTime("last_success_at"),
            row.optionalTime("last_crawled_at"),
            row.optionalNumber("last_crawl_run_id"),
            row.time("updated_at")),
        row.text("policy_state"));
  }

  private static Standing standing(FoundRow row) {
    return new Standing(
        DomainStatus.valueOf(row.text("status").toUpperCase(Locale.ROOT)),
        row.optionalText("block_reason_code"),
        row.optionalText("block_reason"),
        row.optionalTime("first_blocked_at"),
        row.optionalTime("next_crawl_after"),
        row.number("cooldown_count"));
  }

  private static Holding holding(FoundRow row) {
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

  private static Counts counts(FoundRow row) {
    long late = row.number("late_discovered");
    long lateOverCap = row.number("late_over_cap");
    return new Counts(
        row.number("pages_discovered") + late + lateOverCap,
        row.number("frontier_size") + late,
        row.number("urls_done"),
        row.number("urls_failed"),
        row.number("urls_denied"),
        row.number("urls_set_aside"),
        row.number("urls_suppressed"),
        row.number("urls_over_cap") + lateOverCap,
        row.number("pages_crawled"),
        row.number("requests"),
        row.number("total_error_count"),
        row.number("consecutive_error_count"),
        row.number("images_found"),
        row.number("images_stored"),
        row.optionalFraction("image_yield_rate"),
        row.number("crawl_depth_reached"));
  }

  private static Wishes wishes(FoundRow row) {
    return new Wishes(
        row.optionalNumber("max_pages_per_run"),
        row.optionalNumber("max_concurrency"),
        row.optionalFraction("min_scrape_interval")
            .map(seconds -> Duration.ofMillis(Math.round(Math.max(0, seconds) * 1000))),
        row.isSet("paused"));
  }

  private static Asking asking(FoundRow row) {
    return new Asking(
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
