package dev.comity.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes down every change of a status. */
final class Transitions {
  private Transitions() {}

  /** From one status to another, through which door, and why. */
  record Step(String from, String to, String door, @Nullable String reason) {}

  static void write(Statements sql, long domain, Step step, long now) throws SQLException {
    sql.update(
        """
        INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, at)
        SELECT id, claim_token, ?, ?, ?, ?, ? FROM domains WHERE id = ?
        """,
        step.from(),
        step.to(),
        step.door(),
        step.reason(),
        now,
        domain);
  }
}
