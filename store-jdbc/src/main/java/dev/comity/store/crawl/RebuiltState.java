package dev.comity.store.crawl;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A domain's state made of its columns, for where the value that decides cannot be read. What the
 * site asked for and what its refusals taught is kept as far as the columns have it.
 */
final class RebuiltState {
  private RebuiltState() {}

  /** From the columns of {@link Resetting}. */
  static DomainState of(ResultSet row) throws SQLException {
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
