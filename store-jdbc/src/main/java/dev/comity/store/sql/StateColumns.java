package dev.comity.store.sql;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A domain's state as its row has it: the one value that decides, and columns for queries. */
public final class StateColumns {
  /** Followed by the values of {@link #pace} in their order. */
  private static final String SET_PACE =
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

  /** Followed by the values of {@link Counts} in their order. */
  private static final String COUNTS =
      """
      , pages_discovered = pages_discovered + ?, urls_over_cap = urls_over_cap + ?,
      frontier_size = frontier_size + ?, frontier_updated_at = ?, requests = requests + ?,
      page_requests = page_requests + ?,
      pages_crawled = pages_crawled + ?, total_error_count = total_error_count + ?,
      urls_done = urls_done + ?, urls_failed = urls_failed + ?, urls_denied = urls_denied + ?,
      urls_suppressed = urls_suppressed + ?, urls_skipped = urls_skipped + ?,
      crawl_depth_reached = max(crawl_depth_reached, ?)
      WHERE id = ?
      """;

  private static final String UPDATE_PACE = "UPDATE domains SET " + SET_PACE + COUNTS;
  private static final String UPDATE_ALL = "UPDATE domains SET " + SET + COUNTS;

  private StateColumns() {}

  /**
   * A state ready to be written with counters: all of its columns, or the pace alone where the row
   * has the rest already.
   */
  public record Update(String sql, List<@Nullable Object> values) {
    public static Update of(DomainState state, boolean paceAlone, long now) {
      return paceAlone
          ? new Update(UPDATE_PACE, Arrays.asList(pace(state, now)))
          : new Update(UPDATE_ALL, Arrays.asList(StateColumns.of(state, now)));
    }

    public void write(Statements statements, long domain, Counts counts, long now) {
      statements.update(sql, and(values.toArray(), counts.values(domain, now)));
    }
  }

  /**
   * What one write adds to a domain's counters.
   *
   * @param queued new URLs of the domain; likewise those over the limit and those skipped
   * @param newPage whether the URL is a page for the first time: asked again, it is the same page
   */
  public record Counts(
      int queued,
      int overCap,
      int skipped,
      boolean finished,
      boolean requested,
      boolean newPage,
      Optional<Settlement> settled) {
    private int is(Class<? extends Fate> kind) {
      return kind.isInstance(settled.map(Settlement::lasting).orElse(null)) ? 1 : 0;
    }

    private int ifRequested(Predicate<Settlement> counted) {
      return requested && settled.filter(counted).isPresent() ? 1 : 0;
    }

    /** How many links lead to a page; the depth of a sitemap does not count. */
    private int depth() {
      return settled
          .map(Settlement::entry)
          .filter(entry -> entry.kind() == Kind.PAGE)
          .map(QueuedUrl::depth)
          .orElse(0);
    }

    private Object[] values(long domain, long now) {
      return new Object[] {
        queued + overCap + skipped,
        overCap,
        queued - (finished ? 1 : 0),
        now,
        requested ? 1 : 0,
        ifRequested(Settlement::isPageRequest),
        newPage ? 1 : 0,
        ifRequested(Settlement::isError),
        is(Fate.Done.class) + is(Fate.Moved.class),
        is(Fate.Failed.class),
        is(Fate.Denied.class),
        is(Fate.Suppressed.class),
        is(Fate.Skipped.class) + skipped,
        depth(),
        domain
      };
    }
  }

  /** The values of {@link #SET}, and others after them. */
  public static @Nullable Object[] values(DomainState state, long now, @Nullable Object... more) {
    return and(of(state, now), more);
  }

  /** The values of {@link #SET} alone, to be made where there is time. */
  public static @Nullable Object[] of(DomainState state, long now) {
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
   * The values that change with every page. The others have indexes, and SQLite rewrites an index
   * whenever a statement names its columns, even with equal values.
   */
  private static @Nullable Object[] pace(DomainState state, long now) {
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
  public static @Nullable Object[] and(@Nullable Object[] own, @Nullable Object... more) {
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

  /** An unknown status counts as closed: no request is sent. */
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
