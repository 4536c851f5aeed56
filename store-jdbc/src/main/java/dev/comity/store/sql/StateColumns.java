package dev.comity.store.sql;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A domain's state as its row has it: the one value that decides, and columns for queries. */
public final class StateColumns {
  /** Followed by the values of {@link #pace} in their order. */
  public static final String SET_PACE =
      """
      consecutive_error_count = ?, crawl_delay_ms = ?, adaptive_delay_ms = ?,
      adaptive_delay_floor_ms = ?, refused_delay_ms = ?, last_start_at = ?,
      last_success_at = ?, success_streak = ?, refusal_streak = ?, latency_avg_ms = ?,
      latency_p95_ms = ?, policy_state = ?, updated_at = ?, version = version + 1\
      """;

  /** Followed by the values of {@link #of} in their order. */
  public static final String SET =
      """
      status = ?, block_reason = ?, block_reason_code = ?,
      first_blocked_at = coalesce(first_blocked_at, ?), next_crawl_after = ?, cooldown_count = ?,
      claim_class = ?,\
      """
          + SET_PACE;

  /** The columns of {@link #SET} that {@link #of} has values for, in their order. */
  public static final List<String> NAMES =
      Pattern.compile("(\\w+) = (?:coalesce\\(\\w+, )?\\?")
          .matcher(SET)
          .results()
          .map(found -> found.group(1))
          .toList();

  private StateColumns() {}

  /** The values of {@link #SET}, and others after them. */
  static @Nullable public Object[] values(DomainState state, long now, @Nullable Object... more) {
    return and(of(state, now), more);
  }

  /** The values of {@link #SET} alone, to be made where there is time. */
  static @Nullable public Object[] of(DomainState state, long now) {
    Standing standing = state.standing();
    Optional<CloseReason> reason = standing.reason();
    return and(
        new @Nullable Object[] {
          status(standing.status()),
          reason.map(CloseReason::words).orElse(null),
          reason.map(why -> lower(why.name())).orElse(null),
          reason.isPresent() ? now : null,
          standing.until().map(Instant::toEpochMilli).orElse(null),
          standing.setbacks(),
          claimClass(state)
        },
        pace(state, now));
  }

  /**
   * The values that change with every page. Those that seldom do have indexes, and SQLite writes an
   * index anew whenever a statement names its columns, whatever they are set to.
   */
  static @Nullable public Object[] pace(DomainState state, long now) {
    boolean heard = state.latency().samples() > 0;
    return new @Nullable Object[] {
      state.failures().streak().size(),
      ceilMillis(state.limits().crawlDelay()),
      ceilMillis(state.learning().learned()),
      state.learning().floor().map(StateColumns::ceilMillis).orElse(null),
      state.learning().refused().map(StateColumns::ceilMillis).orElse(null),
      time(state.slots().lastStart()),
      time(state.heard().lastSuccess()),
      state.learning().row(),
      state.learning().refusalsInARow(),
      heard ? (int) state.latency().average().toMillis() : null,
      heard ? (int) state.latency().high().toMillis() : null,
      DomainStateJson.encode(state),
      now
    };
  }

  /** These values, and others after them. */
  static @Nullable public Object[] and(@Nullable Object[] own, @Nullable Object... more) {
    @Nullable Object[] all = Arrays.copyOf(own, own.length + more.length);
    System.arraycopy(more, 0, all, own.length, more.length);
    return all;
  }

  /** Among candidates: healthy and active first, then pending, then those with failures behind. */
  public static int claimClass(DomainState state) {
    if (state.standing().recovering() || !state.failures().streak().isEmpty()) {
      return 2;
    }
    return state.standing().status() == DomainStatus.ACTIVE ? 0 : 1;
  }

  public static String status(DomainStatus status) {
    return lower(status.name());
  }

  /** What nobody has a word for is closed: nothing is asked of it. */
  public static DomainStatus status(String stored) {
    return Stored.of("", () -> DomainStatus.valueOf(stored.toUpperCase(Locale.ROOT)))
        .value()
        .orElse(DomainStatus.BLOCKED);
  }

  /** Rounded up: no delay may become shorter, no time earlier, by being stored. */
  public static long ceilMillis(Duration duration) {
    return Math.ceilDiv(duration.toNanosPart(), 1_000_000) + duration.toSeconds() * 1000;
  }

  /** Rounded up, as above. */
  public static long ceilMillis(Instant at) {
    return Math.ceilDiv(at.getNano(), 1_000_000) + at.getEpochSecond() * 1000;
  }

  private static @Nullable Long time(Instant at) {
    return at.equals(Slots.NEVER) ? null : (Long) ceilMillis(at);
  }

  public static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
