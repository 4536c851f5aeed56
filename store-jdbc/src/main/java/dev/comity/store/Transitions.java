package dev.comity.store;

import dev.comity.core.policy.DomainStatus;
import dev.comity.core.policy.Standing;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes down every change of a status. */
final class Transitions {
  private Transitions() {}

  /** From one status to another, through which door, and why. */
  record Step(String from, String to, String door, @Nullable String reason) {}

  /** The holder has changed where its domain stands, if it has. */
  static void byHolder(Statements sql, long domain, DomainStatus from, Standing to, long now)
      throws SQLException {
    if (to.status() != from) {
      String reason = to.reason().map(why -> StateColumns.lower(why.name())).orElse(null);
      write(
          sql,
          domain,
          new Step(StateColumns.status(from), StateColumns.status(to.status()), "holder", reason),
          now);
    }
  }

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
