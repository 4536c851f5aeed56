package dev.comity.store.sql;

import dev.comity.core.port.store.OperatorTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
        number(concurrency),
        row.optionalNumber(first + 3));
  }

  /** Reads the columns by their names. */
  public static OperatorTerms read(ResultRow row) {
    OptionalLong concurrency = row.optionalNumber("max_concurrency");
    return new OperatorTerms(
        row.isSet("paused"),
        row.optionalReal("min_scrape_interval").map(TermsColumns::seconds),
        number(concurrency),
        row.optionalNumber("max_pages_per_run"));
  }

  private static OptionalInt number(OptionalLong stored) {
    return stored.isPresent()
        ? OptionalInt.of((int) Math.min(stored.getAsLong(), Integer.MAX_VALUE))
        : OptionalInt.empty();
  }

  /** Whether a domain is known and paused. */
  public static boolean isPaused(Statements sql, String domain) {
    return sql.exists("SELECT 1 FROM domains WHERE domain = ? AND paused = 1", domain);
  }

  /** What a change did, for the audit: {@code paused 0 -> 1, max_concurrency NULL -> 2}. */
  public static String words(OperatorTerms before, OperatorTerms after) {
    String[] names = NAMES.split(", ", -1);
    @Nullable Object[] was = values(before);
    @Nullable Object[] is = values(after);
    List<String> words = new ArrayList<>();
    for (int column = 0; column < names.length; column++) {
      if (!Objects.equals(was[column], is[column])) {
        words.add("%s %s -> %s".formatted(names[column], word(was[column]), word(is[column])));
      }
    }
    return String.join(", ", words);
  }

  private static Object word(@Nullable Object value) {
    return value == null ? "NULL" : value;
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
