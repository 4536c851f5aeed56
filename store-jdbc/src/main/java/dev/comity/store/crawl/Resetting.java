package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.store.crawl.Requeuing.Which;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.SeedAddresses;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Gives a domain a fresh start, and mends what cannot be read of it. Runs in a transaction of the
 * caller's.
 */
public record Resetting(Statements sql, DomainPolicy policy) {
  private static final String COLUMNS =
      """
      SELECT id, domain, status, claimed_by, policy_state, reset_by_hand, crawl_delay_ms,
        adaptive_delay_ms, adaptive_delay_floor_ms, refused_delay_ms, last_start_at, not_before,
        (SELECT max(started_at) FROM crawl_log WHERE domain_id = domains.id)
      FROM domains
      """;

  /**
   * A domain as it is now.
   *
   * @param state what is known of how it is to be treated: of its state, or else of its columns
   */
  public record StoredDomain(
      long id,
      String domain,
      String status,
      Optional<String> holder,
      Stored<DomainState> stored,
      DomainState state) {}

  public static Optional<StoredDomain> find(Statements sql, String domain) {
    return sql.first(COLUMNS + " WHERE domain = ?", Resetting::row, domain);
  }

  /** Domains with a status that was written by hand. */
  static List<StoredDomain> byHand(Statements sql) {
    return sql.list(COLUMNS + " WHERE reset_by_hand = 1", Resetting::row);
  }

  private static StoredDomain row(ResultRow row) {
    Stored<DomainState> whateverItsStatus =
        Stored.state(row.getString(2), row.getString(5), row.getString(3), true);
    DomainState rebuilt = rebuilt(row);
    return new StoredDomain(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.optionalText(4),
        Stored.state(row.getString(2), row.getString(5), row.getString(3), row.getBoolean(6)),
        whateverItsStatus.value().orElse(rebuilt));
  }

  /** Carries out a reset by hand: the trigger has written its transition already. */
  void carryOut(StoredDomain row, long now) {
    reset(row, Which.SEEDS, now);
  }

  /** Returns how many URLs are queued again. */
  public long reset(StoredDomain row, Which which, long now) {
    new Mending(sql, row.id(), row.domain()).mend();
    long requeued = new Requeuing(sql, row.id()).requeue(which);
    new SeedAddresses(sql).forget(row.id());
    write(row.id(), policy.reset(row.state(), Instant.ofEpochMilli(now)), now);
    return requeued;
  }

  /**
   * Writes a domain's new state and ends its claim. Requests in flight will not be recorded, so the
   * next holder waits a full delay.
   */
  public void write(long id, DomainState state, long now) {
    new Readiness(sql).returnInFlight(id);
    sql.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,"
            + " claim_expires_at = NULL, claimable_at = ?, reset_by_hand = 0, damage = NULL"
            + " WHERE id = ?",
        StateColumns.values(state, now, state.standing().mayBeAsked() ? 0 : null, id));
    // A run that has had its share may have more of it; one about other domains may not.
    sql.update(
        """
        UPDATE domains SET spent_run_id = NULL, version = version + 1 WHERE id = ? AND EXISTS
          (SELECT 1 FROM jobs WHERE domain_id = domains.id AND run_id = spent_run_id)
        """,
        id);
    sql.update(
        "UPDATE domains SET claimable_at = NULL, version = version + 1"
            + " WHERE id = ? AND spent_run_id IS NOT NULL",
        id);
  }

  /**
   * A state made of columns, for a stored state that cannot be read. It keeps what the site asked
   * for and what its refusals taught, as far as columns have it.
   */
  private static DomainState rebuilt(ResultRow row) {
    DomainState fresh = DomainState.FRESH;
    Instant lastStart = Instant.ofEpochMilli(Math.max(row.getLong(11), row.getLong(13)));
    Instant restUntil = Instant.ofEpochMilli(Math.max(0, row.getLong(12)));
    Slots slots =
        new Slots(
            lastStart,
            restUntil,
            restUntil.equals(Slots.NEVER) ? Turn.Why.DELAY : Turn.Why.RETRY_AFTER);
    return new DomainState(
        fresh.standing(),
        fresh.limits().withCrawlDelay(millis(row.getLong(7))),
        slots,
        learning(millis(row.getLong(8)), millis(row.getLong(10)), millis(row.getLong(9))),
        fresh.failures(),
        fresh.latency(),
        fresh.heard());
  }

  private static LearnedDelay learning(Duration learned, Duration refused, Duration floor) {
    LearnedDelay nothing = DomainState.FRESH.learning();
    boolean known = refused.isPositive() && refused.compareTo(learned) < 0;
    return new LearnedDelay(
        learned,
        known ? Optional.of(refused) : Optional.empty(),
        known && floor.isPositive() ? Optional.of(floor) : Optional.empty(),
        nothing.row(),
        nothing.probe(),
        nothing.incident(),
        nothing.lastRefusal(),
        nothing.evidence());
  }

  private static Duration millis(long stored) {
    return Duration.ofMillis(Math.max(0, stored));
  }
}
