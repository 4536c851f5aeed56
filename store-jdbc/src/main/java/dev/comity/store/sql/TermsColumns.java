package dev.comity.store.sql;

import dev.comity.core.port.store.OperatorTerms;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The columns of a domain's row that its operator sets. */
public final class TermsColumns {
  /** In the order that {@link #read} expects. */
  public static final String NAMES =
      "paused, min_scrape_interval, max_concurrency, max_pages_per_run";

  /** Followed by the values of {@link #values} in their order. */
  public static final String SET =
      "paused = ?, min_scrape_interval = ?, max_concurrency = ?, max_pages_per_run = ?";

  private static final double MILLIS = 1000;

  private TermsColumns() {}

  /** Reads {@link #NAMES}, the first of them in this column. */
  public static OperatorTerms read(ResultRow row, int first) {
    OptionalLong concurrency = row.optionalNumber(first + 2);
    return new OperatorTerms(
        row.getBoolean(first),
        row.optionalReal(first + 1).map(TermsColumns::seconds),
        concurrency.isPresent()
            ? OptionalInt.of((int) Math.min(concurrency.getAsLong(), Integer.MAX_VALUE))
            : OptionalInt.empty(),
        row.optionalNumber(first + 3));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) Math.ceil(seconds * MILLIS));
  }

  /** What is set for a domain. */
  public static Optional<OperatorTerms> of(Statements sql, long domain) {
    return sql.first("SELECT " + NAMES + " FROM domains WHERE id = ?", row -> read(row, 1), domain);
  }

  /** The values of {@link #SET}, and others after them. */
  public static @Nullable Object[] values(OperatorTerms terms, @Nullable Object... more) {
    return StateColumns.and(
        new @Nullable Object[] {
          terms.paused() ? 1 : 0,
          terms.minimum().map(interval -> interval.toMillis() / MILLIS).orElse(null),
          terms.concurrency().isPresent() ? (Integer) terms.concurrency().getAsInt() : null,
          terms.maxPages().isPresent() ? (Long) terms.maxPages().getAsLong() : null
        },
        more);
  }
}
