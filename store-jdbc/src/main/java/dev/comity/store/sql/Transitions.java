package dev.comity.store.sql;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import org.jspecify.annotations.Nullable;

/** The log of changes of status. */
public final class Transitions {
  private Transitions() {}

  /** From one status to another, by which cause, and why. */
  public record StatusChange(String from, String to, String door, @Nullable String reason) {
    /** An exhausted domain has work again. */
    public static final StatusChange ARRIVAL =
        new StatusChange("exhausted", "pending", "arrival", "a URL arrived");
  }

  /** Why a closed domain is open again. */
  public static final String OUR_OUTAGE = "our own network was down";

  /** The holder changed its domain's status; a closed domain that it opens is taken back. */
  public static void byHolder(
      Statements sql, long domain, DomainStatus from, Standing to, long now) {
    boolean takenBack = from == DomainStatus.BLOCKED || from == DomainStatus.UNREACHABLE;
    String reason =
        takenBack
            ? OUR_OUTAGE
            : to.reason().map(why -> StateColumns.lower(why.name())).orElse(null);
    String door = takenBack ? "take_back" : "holder";
    write(
        sql,
        domain,
        new StatusChange(StateColumns.status(from), StateColumns.status(to.status()), door, reason),
        now);
  }

  /** The status that a domain's changes lead to. */
  public static String reached(Statements sql, long domain) {
    return sql.first(
            "SELECT to_status FROM transitions WHERE domain_id = ? ORDER BY id DESC LIMIT 1",
            row -> row.getString(1),
            domain)
        .orElse("pending");
  }

  public static void write(Statements sql, long domain, StatusChange change, long now) {
    sql.update(
        """
        INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, at)
        SELECT id, claim_token, ?, ?, ?, ?, ? FROM domains WHERE id = ?
        """,
        change.from(),
        change.to(),
        change.door(),
        change.reason(),
        now,
        domain);
  }
}
