package dev.comity.store.doctor;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.FoundRow;
import dev.comity.store.sql.Query;
import dev.comity.store.sql.Stored;
import java.sql.Connection;
import java.time.Duration;

/** What a domain's refusals taught makes sense. */
final class LearningCheck implements Check {
  private final Duration longest;

  /**
   * @param longest how long a learned delay may be
   */
  LearningCheck(Duration longest) {
    this.longest = longest;
  }

  @Override
  public String name() {
    return "delays";
  }

  @Override
  public int invariant() {
    return 6;
  }

  @Override
  public String rule() {
    return "a learned delay is longer than the refused one, " + longest.toSeconds() + " s at most";
  }

  @Override
  public String fix() {
    return RESET;
  }

  @Override
  public void examine(Connection connection, Examination.Notes notes) {
    Query.of(
            """
            SELECT domain, policy_state FROM domains WHERE policy_state LIKE '%"refused"%'
            """)
        .each(connection, row -> examine(row, notes));
  }

  private void examine(FoundRow row, Examination.Notes notes) {
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
      notes.add(
          domain,
          "%d ms is learned, which is more than %d ms"
              .formatted(learning.learned().toMillis(), longest.toMillis()));
    } else if (learning.probe().isEmpty() && refused.compareTo(learning.learned()) >= 0) {
      notes.add(
          domain,
          "%d ms is learned and %d ms refused, outside a probe"
              .formatted(learning.learned().toMillis(), refused.toMillis()));
    }
  }
}
