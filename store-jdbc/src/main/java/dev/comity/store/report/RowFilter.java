package dev.comity.store.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which rows an export takes; what is not said takes all.
 *
 * @param run the number of a run
 * @param domains canonical names; empty for all
 * @param status statuses of HTTP
 * @param since the first start of a request that counts
 * @param until the first start of a request that no longer counts
 */
public record RowFilter(
    OptionalLong run,
    List<String> domains,
    Optional<StatusRange> status,
    Optional<Instant> since,
    Optional<Instant> until) {

  /** Takes every row. */
  public static final RowFilter ALL =
      new RowFilter(
          OptionalLong.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());

  public RowFilter {
    domains = List.copyOf(domains);
  }

  /** Statuses from the first to the last, both included. */
  public record StatusRange(int first, int last) {}

  /** A condition in SQL, beginning with AND, and its values in order. */
  record Condition(String sql, List<Object> values) {}

  /**
   * The condition for a table with the columns run_id, status and started_at, joined to domains.
   *
   * @param table the name the query gives to it
   */
  Condition requests(String table) {
    Draft draft = new Draft();
    run.ifPresent(number -> draft.and(table + ".run_id = ?", number));
    status.ifPresent(
        range ->
            draft
                .and(table + ".status >= ?", (long) range.first())
                .and(table + ".status <= ?", (long) range.last()));
    since.ifPresent(time -> draft.and(table + ".started_at >= ?", time.toEpochMilli()));
    until.ifPresent(time -> draft.and(table + ".started_at < ?", time.toEpochMilli()));
    return named(draft);
  }

  /** The condition for domains alone. */
  Condition ofDomains() {
    return named(new Draft());
  }

  /** The condition for sightings of images. */
  Condition sightings() {
    Draft draft = new Draft();
    since.ifPresent(time -> draft.and("s.first_seen_at >= ?", time.toEpochMilli()));
    until.ifPresent(time -> draft.and("s.first_seen_at < ?", time.toEpochMilli()));
    return named(draft, "s.source_domain");
  }

  private Condition named(Draft draft) {
    return named(draft, "d.domain");
  }

  private Condition named(Draft draft, String column) {
    if (!domains.isEmpty()) {
      draft.sql.append(" AND ").append(column).append(" IN (?");
      draft.sql.append(", ?".repeat(domains.size() - 1)).append(")");
      draft.values.addAll(domains);
    }
    return new Condition(draft.sql.toString(), draft.values);
  }

  private static final class Draft {
    private final StringBuilder sql = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    Draft and(String condition, Object value) {
      sql.append(" AND ").append(condition);
      values.add(value);
      return this;
    }
  }
}
