package dev.comity.store;

import dev.comity.core.policy.Learning;
import java.sql.Connection;
import java.time.Duration;

/** What a domain's refusals taught makes sense, and the columns say the same as the value. */
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
    return "a learned delay is longer than the refused one, "
        + longest.toSeconds()
        + " s at most, and stored the same in both places";
  }

  @Override
  public void examine(Connection connection, Examination.Notes notes) {
    Query.of(
            """
            SELECT domain, refused_delay_ms, adaptive_delay_ms, policy_state FROM domains
            WHERE refused_delay_ms IS NOT NULL
            """)
        .each(connection, row -> examine(row, notes));
  }

  private void examine(FoundRow row, Examination.Notes notes) {
    String domain = row.text("domain");
    Learning learning;
    try {
      learning = DomainStateJson.decode(row.text("policy_state")).learning();
    } catch (StoreDamaged damaged) {
      notes.add(domain, String.valueOf(damaged.getMessage()));
      return;
    }
    Duration refused = row.millis("refused_delay_ms");
    Duration learned = row.millis("adaptive_delay_ms");
    if (learning.refused().isEmpty() || !isSame(refused, learning.refused().get())) {
      notes.add(
          domain,
          "its column says that %d ms was refused, its state %s"
              .formatted(
                  refused.toMillis(),
                  learning.refused().map(at -> at.toMillis() + " ms").orElse("nothing")));
    } else if (!isSame(learned, learning.learned())) {
      notes.add(
          domain,
          "its column says that %d ms is learned, its state %d ms"
              .formatted(learned.toMillis(), learning.learned().toMillis()));
    } else if (learning.learned().compareTo(longest) > 0) {
      notes.add(
          domain,
          "%d ms is learned, which is more than %d ms"
              .formatted(learned.toMillis(), longest.toMillis()));
    } else if (learning.probe().isEmpty()
        && learning.refused().get().compareTo(learning.learned()) >= 0) {
      notes.add(
          domain,
          "%d ms is learned and %d ms refused, outside a probe"
              .formatted(learned.toMillis(), refused.toMillis()));
    }
  }

  /** Columns are in milliseconds, whichever way they were rounded. */
  private static boolean isSame(Duration column, Duration value) {
    return column.minus(value).abs().compareTo(Duration.ofMillis(1)) < 0;
  }
}
