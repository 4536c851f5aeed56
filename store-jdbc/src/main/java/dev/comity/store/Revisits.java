package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Makes everything known of an exhausted domain due again. Runs in the writer's thread. Domains
 * that still have something to do keep to it, and closed ones stay closed.
 */
record Revisits(Statements sql, DomainPolicy policy) {
  private record Row(long id, DomainState state) {}

  /** Answers how many URLs are asked again. */
  int again(DomainName name, long now) throws SQLException {
    Optional<Row> exhausted =
        sql.first(
            "SELECT id, policy_state FROM domains WHERE domain = ? AND status = 'exhausted'"
                + " AND claimed_by IS NULL",
            row -> new Row(row.getLong(1), DomainStateJson.decode(row.getString(2))),
            name.name());
    return exhausted.isPresent() ? again(exhausted.get(), now) : 0;
  }

  private int again(Row domain, long now) throws SQLException {
    int due = new Requeuing(sql, domain.id()).requeue(Requeuing.Which.ANSWERED);
    if (due == 0) {
      return 0;
    }
    DomainState open = policy.arrival(domain.state());
    Transitions.write(
        sql,
        domain.id(),
        new Transitions.Step("exhausted", "pending", "arrival", "all of it is asked again"),
        now);
    sql.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", spent_run_id = NULL, claimable_at = 0 WHERE id = ?",
        StateColumns.values(open, now, domain.id()));
    return due;
  }
}
