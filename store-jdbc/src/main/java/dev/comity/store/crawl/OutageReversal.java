package dev.comity.store.crawl;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Opens domains that an outage of our own network closed. Runs in the writer's thread. */
public record OutageReversal(Statements sql, FrontierWriter urls) {

  /** Opens a domain that our own outage closed, unless it was claimed since. */
  public void takeBack(DomainName name, long token, UnaryOperator<DomainState> change, long now) {
    record Row(long id, Stored<DomainState> state) {}
    Optional<Row> row =
        sql.first(
            "SELECT id, policy_state, status, reset_by_hand FROM domains WHERE domain = ?"
                + " AND claimed_by IS NULL AND claim_token = ? AND damage IS NULL",
            one ->
                new Row(
                    one.getLong(1),
                    Stored.state(
                        name.name(), one.getString(2), one.getString(3), one.getBoolean(4))),
            name.name(),
            token);
    if (row.isEmpty() || !(row.get().state() instanceof Stored.Sound(var before))) {
      // The next claim finds the damage.
      return;
    }
    long id = row.get().id();
    DomainState after = change.apply(before);
    DomainStatus from = before.standing().status();
    DomainStatus to = after.standing().status();
    if (from != to) {
      String door = to == DomainStatus.ACTIVE ? "take_back" : "reset";
      Transitions.write(
          sql,
          id,
          new Transitions.StatusChange(
              StateColumns.status(from), StateColumns.status(to), door, Transitions.OUR_OUTAGE),
          now);
    }
    sql.update(
        "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
        StateColumns.values(after, now, id));
    new Readiness(sql).set(id);
    urls.forget(name);
  }
}
