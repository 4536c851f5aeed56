package dev.comity.store.sql;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.store.Settlement;
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
      images_found = images_found + ?,
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
   * @param passedOver known URLs that are finished as skipped
   * @param newPages URLs that are a page for the first time: asked again, it is the same page
   * @param images how many images new pages show
   * @param depth how many links lead to the farthest page; the depth of a sitemap does not count
   */
  public record Counts(
      int queued,
      int overCap,
      int skipped,
      int finished,
      int requests,
      int pageRequests,
      int newPages,
      int errors,
      int done,
      int failed,
      int denied,
      int suppressed,
      int passedOver,
      int images,
      int depth) {
    /** Nothing is added. */
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** A request that settled no URL. */
    public static Counts request() {
      return new Counts(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** What new URLs add. */
    public static Counts found(int queued, int overCap, int skipped) {
      return new Counts(queued, overCap, skipped, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** What a settled URL adds. */
    public static Counts of(
        Settlement settled, boolean finished, boolean requested, boolean newPage) {
      Fate fate = settled.lasting();
      return new Counts(
          0,
          0,
          0,
          finished ? 1 : 0,
          requested ? 1 : 0,
          requested && settled.isPageRequest() ? 1 : 0,
          newPage ? 1 : 0,
          requested && settled.isError() ? 1 : 0,
          fate instanceof Fate.Done || fate instanceof Fate.Moved ? 1 : 0,
          fate instanceof Fate.Failed ? 1 : 0,
          fate instanceof Fate.Denied ? 1 : 0,
          fate instanceof Fate.Suppressed ? 1 : 0,
          fate instanceof Fate.Skipped ? 1 : 0,
          newPage ? settled.images().found() : 0,
          settled.entry().kind() == Kind.PAGE ? settled.entry().depth() : 0);
    }

    /** Both together. */
    public Counts and(Counts more) {
      return new Counts(
          queued + more.queued,
          overCap + more.overCap,
          skipped + more.skipped,
          finished + more.finished,
          requests + more.requests,
          pageRequests + more.pageRequests,
          newPages + more.newPages,
          errors + more.errors,
          done + more.done,
          failed + more.failed,
          denied + more.denied,
          suppressed + more.suppressed,
          passedOver + more.passedOver,
          images + more.images,
          Math.max(depth, more.depth));
    }

    private Object[] values(long domain, long now) {
      return new Object[] {
        queued + overCap + skipped,
        overCap,
        queued - finished,
        now,
        requests,
        pageRequests,
        newPages,
        errors,
        done,
        failed,
        denied,
        suppressed,
        passedOver + skipped,
        images,
        depth,
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
          standing.words().orElse(null),
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
