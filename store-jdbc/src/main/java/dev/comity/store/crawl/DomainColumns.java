package dev.comity.store.crawl;

import dev.comity.core.policy.DomainState;
import dev.comity.store.sql.StateColumns;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a state is to be written, beside what it adds to the domain's counters: all of it, or the
 * pace alone where the rest is in the row already.
 *
 * @param sql the statement
 * @param values one for each question mark before those of {@link Counts}
 */
public record DomainColumns(String sql, List<@Nullable Object> values) {
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

  private static final String PACE_AND_COUNTS =
      "UPDATE domains SET " + StateColumns.SET_PACE + COUNTS;
  private static final String ALL_AND_COUNTS = "UPDATE domains SET " + StateColumns.SET + COUNTS;

  public static DomainColumns of(HeldDomain held, DomainState state, long now) {
    return held.stands(state)
        ? new DomainColumns(PACE_AND_COUNTS, Arrays.asList(StateColumns.pace(state, now)))
        : new DomainColumns(ALL_AND_COUNTS, Arrays.asList(StateColumns.of(state, now)));
  }

  @Nullable Object[] with(Counts counts, long domain, long now) {
    return StateColumns.and(values.toArray(), counts.values(domain, now));
  }
}
