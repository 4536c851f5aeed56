package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.List;

/** Every URL that was discovered is somewhere, and the counters know where. */
final class FrontierCheck {
  private static final List<String> STATES =
      List.of("done", "failed", "denied", "set_aside", "suppressed", "skipped");

  /** The table is read once, in the order it lies in; by its index it would be read all over. */
  private static final String COMPARED =
      """
      WITH kept AS MATERIALIZED (
        SELECT domain_id, count(*) AS kept, count(CASE state WHEN 0 THEN 1 END) AS queued,
          count(CASE state WHEN 1 THEN 1 END) AS done,
          count(CASE state WHEN 2 THEN 1 END) AS failed,
          count(CASE state WHEN 3 THEN 1 END) AS denied,
          count(CASE state WHEN 4 THEN 1 END) AS set_aside,
          count(CASE state WHEN 5 THEN 1 END) AS suppressed,
          count(CASE state WHEN 6 THEN 1 END) AS skipped
        FROM domain_frontier ${as they lie} GROUP BY domain_id),
      late AS MATERIALIZED (
        SELECT domain_id, sum(discovered) AS discovered, sum(over_cap) AS over_cap,
          sum(skipped) AS skipped
        FROM arrivals GROUP BY domain_id),
      counted AS (
        SELECT d.domain,
          d.pages_discovered + coalesce(l.discovered + l.over_cap + l.skipped, 0) AS discovered,
          d.urls_over_cap + coalesce(l.over_cap, 0) AS over_cap,
          d.frontier_size + coalesce(l.discovered, 0) AS unfinished,
          d.urls_done, d.urls_failed, d.urls_denied, d.urls_set_aside, d.urls_suppressed,
          d.urls_skipped + coalesce(l.skipped, 0) AS urls_skipped,
          coalesce(k.kept, 0) AS kept, coalesce(k.queued, 0) AS queued,
          coalesce(k.done, 0) AS done, coalesce(k.failed, 0) AS failed,
          coalesce(k.denied, 0) AS denied, coalesce(k.set_aside, 0) AS set_aside,
          coalesce(k.suppressed, 0) AS suppressed, coalesce(k.skipped, 0) AS skipped
        FROM domains d
        LEFT JOIN kept k ON k.domain_id = d.id
        LEFT JOIN late l ON l.domain_id = d.id)
      SELECT * FROM counted
      WHERE discovered <> kept + over_cap OR unfinished <> queued OR urls_done <> done
        OR urls_failed <> failed OR urls_denied <> denied OR urls_set_aside <> set_aside
        OR urls_suppressed <> suppressed OR urls_skipped <> skipped
      """;

  static Check check() {
    return new Check(
        "frontier",
        11,
        "URLs can be read, each is there once, and discovered = done + failed + denied + set"
            + " aside + suppressed + skipped + over the cap + queued, deferred and in flight",
        Check.RESET,
        FrontierCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(COMPARED, row -> compare(row, findings));
    new UrlTexts(sql, findings).examine();
    sql.each(
        """
        SELECT f.domain_id, count(*) AS n FROM domain_frontier f
        WHERE NOT EXISTS (SELECT 1 FROM domains d WHERE d.id = f.domain_id) GROUP BY f.domain_id
        """,
        row ->
            findings.add(
                "",
                "%d URLs belong to domain %d, which does not exist"
                    .formatted(row.number("n"), row.number("domain_id")),
                "no crawl asks for them: delete the rows"));
  }

  private static void compare(ResultRow row, Examination.Findings findings) {
    String domain = row.text("domain");
    long discovered = row.number("discovered");
    long kept = row.number("kept");
    long overCap = row.number("over_cap");
    if (discovered != kept + overCap) {
      findings.add(
          domain,
          "%d URLs were discovered, %d are kept and %d over the cap"
              .formatted(discovered, kept, overCap));
    }
    findings.compare(row, "unfinished", "queued", "%d URLs are counted as unfinished, %d are");
    for (String state : STATES) {
      findings.compare(
          row,
          "urls_" + state,
          state,
          "%d URLs are counted as " + state.replace('_', ' ') + ", %d are");
    }
  }
}
