package dev.comity.store.doctor;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import java.time.Duration;

/** What a domain's refusals taught makes sense. */
final class LearningCheck {
  private final Duration longest;

  /**
   * @param longest how long a learned delay may be
   */
  LearningCheck(Duration longest) {
    this.longest = longest;
  }

  Check check() {
    return new Check(
        "delays",
        6,
        "a learned delay is longer than the refused one, " + longest.toSeconds() + " s at most",
        Check.RESET,
        this::examine);
  }

  private void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        SELECT domain, policy_state FROM domains WHERE policy_state LIKE '%"refused"%'
        """,
        row -> examine(row, findings));
  }

  private void examine(ResultRow row, Examination.Findings findings) {
    String domain = row.text("domain");
    Stored<DomainState> stored =
        Stored.of("", () -> DomainStateJson.decode(row.text("policy_state")));
    if (!(stored instanceof Stored.Sound(var state)) || state.learning().refused().isEmpty()) {
      // Another check says so.
      return;
    }
    LearnedDelay learning = state.learning();
    Duration refused = learning.refused().orElseThrow();
    if (learning.learned().compareTo(longest) > 0) {
      findings.add(
          domain,
          "%d ms is learned, which is more than %d ms"
              .formatted(learning.learned().toMillis(), longest.toMillis()));
    } else if (learning.probe().isEmpty() && refused.compareTo(learning.learned()) >= 0) {
      findings.add(
          domain,
          "%d ms is learned and %d ms refused, outside a probe"
              .formatted(learning.learned().toMillis(), refused.toMillis()));
    }
  }
}
