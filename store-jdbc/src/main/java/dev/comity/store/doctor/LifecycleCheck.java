package dev.comity.store.doctor;

import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.store.sql.Statements;
import java.util.Locale;
import java.util.stream.Collectors;

/** Every change of status is one that the lifecycle knows, and they follow from one another. */
final class LifecycleCheck {

  /** The lifecycle's table as rows. Its words are our own, so they may stand in a statement. */
  private static final String ALLOWED =
      Lifecycle.TABLE.stream()
          .map(way -> "('%s', '%s', '%s')".formatted(way.from(), way.to(), way.cause()))
          .collect(Collectors.joining(", "))
          .toLowerCase(Locale.ROOT);

  static Check check() {
    return new Check(
        "lifecycle",
        8,
        "every change of status is in the lifecycle and begins where the last one ended",
        Check.HISTORY,
        LifecycleCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    unknown(sql, findings);
    gaps(sql, findings);
    ends(sql, findings);
  }

  private static void unknown(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH allowed (from_status, to_status, door) AS (VALUES %s)
        SELECT d.domain, t.id, t.from_status, t.to_status, t.door
        FROM transitions t JOIN domains d ON d.id = t.domain_id
        WHERE (t.from_status, t.to_status, t.door) NOT IN (SELECT * FROM allowed)
        """
            .formatted(ALLOWED),
        row ->
            findings.add(
                row.text("domain"),
                "transition %d: %s -> %s by `%s` is not allowed"
                    .formatted(
                        row.number("id"),
                        row.text("from_status"),
                        row.text("to_status"),
                        row.text("door"))));
  }

  private static void gaps(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH steps AS (
          SELECT id, domain_id, from_status,
            lag(to_status) OVER (PARTITION BY domain_id ORDER BY id) AS before
          FROM transitions)
        SELECT d.domain, s.id, s.from_status, s.before
        FROM steps s JOIN domains d ON d.id = s.domain_id
        WHERE s.before <> s.from_status
        """,
        row ->
            findings.add(
                row.text("domain"),
                "transition %d begins at %s, the one before it ended at %s"
                    .formatted(row.number("id"), row.text("from_status"), row.text("before"))));
  }

  /** Nothing ever happened to a domain without a transition: it is pending. */
  private static void ends(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH newest AS (SELECT domain_id, max(id) AS id FROM transitions GROUP BY domain_id)
        SELECT d.domain, d.status, coalesce(t.to_status, 'pending') AS reached
        FROM (SELECT id, domain, CAST(status AS TEXT) AS status FROM domains) d
        LEFT JOIN newest n ON n.domain_id = d.id
        LEFT JOIN transitions t ON t.id = n.id
        WHERE d.status <> coalesce(t.to_status, 'pending')
        """,
        row ->
            findings.add(
                row.text("domain"),
                "it is %s, its transitions end at %s"
                    .formatted(row.text("status"), row.text("reached")),
                Check.RESET));
  }
}
