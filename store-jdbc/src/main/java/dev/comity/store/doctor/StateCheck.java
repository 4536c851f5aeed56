package dev.comity.store.doctor;

import dev.comity.core.policy.DomainState;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every domain can be read, and the columns for people say what decides. */
final class StateCheck {
  /**
   * What the columns have of their own: the state itself, an operator's words, and times of
   * writing.
   */
  private static final Set<String> OWN =
      Set.of("policy_state", "block_reason", "first_blocked_at", "updated_at");

  static Check check() {
    return new Check(
        "states",
        0,
        "a domain's state can be read, and its columns say the same",
        Check.RESET,
        StateCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each("SELECT * FROM domains", row -> examine(row, findings));
  }

  private static void examine(ResultRow row, Examination.Findings findings) {
    String domain = row.text("domain");
    Stored<DomainState> stored =
        Stored.state(
            domain, row.text("policy_state"), row.text("status"), row.isSet("reset_by_hand"));
    switch (stored) {
      case Stored.Damaged(var reason) -> findings.add(domain, reason);
      case Stored.Sound(var state) -> {
        row.optionalText("damage")
            .ifPresent(why -> findings.add(domain, "it is set aside: " + why));
        if (!row.isSet("reset_by_hand")) {
          compare(row, state, findings);
        }
      }
    }
  }

  private static void compare(ResultRow row, DomainState state, Examination.Findings findings) {
    @Nullable Object[] expected = StateColumns.of(state, 0);
    for (int i = 0; i < StateColumns.NAMES.size(); i++) {
      String column = StateColumns.NAMES.get(i);
      Object value = expected[i];
      if (!OWN.contains(column) && !isRefreshDate(row, column) && !isSame(row, column, value)) {
        findings.add(
            row.text("domain"),
            "its column %s is %s, its state says %s"
                .formatted(column, row.optionalText(column).orElse("empty"), said(value)));
      }
    }
  }

  /** When an exhausted domain is due, its pages say. */
  private static boolean isRefreshDate(ResultRow row, String column) {
    return column.equals("next_crawl_after") && row.text("status").equals("exhausted");
  }

  private static String said(@Nullable Object value) {
    return value == null ? "nothing" : value.toString();
  }

  /** Times and delays may be off by a millisecond, whichever way they were rounded. */
  private static boolean isSame(ResultRow row, String column, @Nullable Object value) {
    return value instanceof Number number
        ? row.optionalNumber(column).isPresent()
            && Math.abs(row.number(column) - number.longValue()) <= slack(column)
        : row.optionalText(column).equals(Optional.ofNullable(value));
  }

  private static long slack(String column) {
    return column.endsWith("_ms") || column.endsWith("_at") ? 1 : 0;
  }
}
