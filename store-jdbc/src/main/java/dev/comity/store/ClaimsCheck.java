package dev.comity.store;

import java.sql.Connection;

/** One live claim per domain at most, and tokens that only grow. */
final class ClaimsCheck implements Check {
  @Override
  public String name() {
    return "claims";
  }

  @Override
  public int invariant() {
    return 1;
  }

  @Override
  public String rule() {
    return "a domain has one claim at most, and each has a higher token than the one before";
  }

  @Override
  public void examine(Connection connection, Examination.Notes notes) {
    Query.of(
            """
            WITH grants AS (
              SELECT id, domain_id, token,
                lag(token) OVER (PARTITION BY domain_id ORDER BY id) AS before
              FROM transitions WHERE door = 'claim')
            SELECT d.domain, g.id, g.token, g.before
            FROM grants g JOIN domains d ON d.id = g.domain_id
            WHERE g.before >= g.token
            """)
        .each(
            connection,
            row ->
                notes.add(
                    row.text("domain"),
                    "transition %d grants token %d after %d was granted"
                        .formatted(row.number("id"), row.number("token"), row.number("before"))));
    newest(connection, notes);
  }

  /** The last claim's row and the domain's row speak of the same claim. */
  private static void newest(Connection connection, Examination.Notes notes) {
    Query.of(
            """
            WITH newest AS (
              SELECT domain_id, max(id) AS id FROM transitions WHERE door = 'claim'
              GROUP BY domain_id)
            SELECT d.domain, d.claim_token, coalesce(t.token, 0) AS granted,
              d.claimed_by, t.worker, d.claim_expires_at
            FROM domains d
            LEFT JOIN newest n ON n.domain_id = d.id
            LEFT JOIN transitions t ON t.id = n.id
            WHERE d.claim_token <> coalesce(t.token, 0)
              OR (d.claimed_by IS NOT NULL
                AND (d.claim_expires_at IS NULL OR d.claimed_by IS NOT t.worker))
            """)
        .each(connection, row -> notes.add(row.text("domain"), contradiction(row)));
  }

  private static String contradiction(FoundRow row) {
    long token = row.number("claim_token");
    long granted = row.number("granted");
    if (token != granted) {
      return "its token is %d, the last one granted %d".formatted(token, granted);
    }
    if (row.optionalNumber("claim_expires_at").isEmpty()) {
      return "it is claimed by " + row.text("claimed_by") + " without an end";
    }
    return "it is claimed by %s, token %d was granted to %s"
        .formatted(
            row.text("claimed_by"), token, row.optionalText("worker").orElse("nobody named"));
  }
}
