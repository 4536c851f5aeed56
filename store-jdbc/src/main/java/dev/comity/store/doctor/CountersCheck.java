package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;

/** Counters say what the log says, with what was pruned from it. */
final class CountersCheck {
  private static final String COMPARED =
      """
      WITH log AS MATERIALIZED (
        SELECT domain_id, count(*) AS requests,
          count(CASE kind WHEN 'page' THEN 1 END) AS page_requests,
          sum(is_error) AS errors, sum(images_found) AS images_found
        FROM crawl_log ${as they lie} GROUP BY domain_id),
      kept AS MATERIALIZED (
        SELECT domain_id, count(DISTINCT url_id) AS pages FROM pages GROUP BY domain_id),
      shown AS MATERIALIZED (
        SELECT source_domain, count(DISTINCT image_id) AS images FROM provenance
        WHERE image_id IS NOT NULL GROUP BY source_domain),
      counted AS (
        SELECT d.domain, d.requests, d.page_requests, d.pages_crawled, d.total_error_count,
          d.pruned_requests, d.images_found,
          d.images_stored + (SELECT coalesce(sum(c.images_stored), 0) FROM credits c
            WHERE c.domain_id = d.id) AS images_stored,
          coalesce(l.images_found, 0) AS logged_found,
          coalesce(s.images, 0) AS shown_images,
          d.pruned_requests + coalesce(l.requests, 0) AS logged_requests,
          d.pruned_page_requests + coalesce(l.page_requests, 0) AS logged_page_requests,
          coalesce(k.pages, 0) AS kept_pages,
          d.pruned_errors + coalesce(l.errors, 0) AS logged_errors
        FROM domains d LEFT JOIN log l ON l.domain_id = d.id LEFT JOIN kept k ON k.domain_id = d.id
        LEFT JOIN shown s ON s.source_domain = d.domain)
      SELECT * FROM counted
      WHERE requests <> logged_requests OR page_requests <> logged_page_requests
        OR pages_crawled <> kept_pages OR total_error_count <> logged_errors
        OR pruned_requests = 0 AND images_found <> logged_found OR images_stored < shown_images
      """;

  static Check check() {
    return new Check(
        "counters",
        13,
        "counters equal what the log holds, what was pruned from it and the pages kept",
        Check.RESET,
        CountersCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(COMPARED, row -> compare(row, findings));
    lastStarts(sql, findings);
    runs(sql, findings);
  }

  private static void compare(ResultRow row, Examination.Findings findings) {
    String logged = "%%d %s are counted, %%d are in the log or pruned";
    findings.compare(row, "requests", "logged_requests", logged.formatted("requests"));
    findings.compare(
        row, "page_requests", "logged_page_requests", logged.formatted("page requests"));
    findings.compare(row, "total_error_count", "logged_errors", logged.formatted("errors"));
    findings.compare(row, "pages_crawled", "kept_pages", "%d pages are counted, %d are kept");
    if (row.number("pruned_requests") == 0) {
      findings.compare(row, "images_found", "logged_found", logged.formatted("images found"));
    }
    if (row.number("images_stored") < row.number("shown_images")) {
      findings.compare(
          row, "images_stored", "shown_images", "%d images are counted, its pages show %d");
    }
  }

  /**
   * A domain's last start is kept, for the delay after it. It is compared with the newest claim in
   * the log. A later claim that was granted by a clock set back sets its own time instead.
   */
  private static void lastStarts(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH last AS MATERIALIZED (
            SELECT domain_id, max(claim_token) AS token FROM crawl_log GROUP BY domain_id),
          newest AS MATERIALIZED (
            SELECT l.domain_id, l.claim_token, max(l.started_at) AS last_start
            FROM crawl_log l JOIN last ON last.domain_id = l.domain_id AND last.token = l.claim_token
            GROUP BY l.domain_id, l.claim_token)
        SELECT d.domain, d.last_start_at, n.last_start
        FROM newest n JOIN domains d ON d.id = n.domain_id
        WHERE coalesce(d.last_start_at, 0) < n.last_start
          AND NOT EXISTS (SELECT 1 FROM transitions t WHERE t.domain_id = d.id
            AND t.door = 'claim' AND t.token > n.claim_token AND t.at < n.last_start)
        """,
        row ->
            findings.add(
                row.text("domain"),
                "its last start is kept as %s, the log has one at %s"
                    .formatted(
                        row.optionalTime("last_start_at").map(Object::toString).orElse("never"),
                        row.time("last_start"))));
  }

  private static void runs(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH counted AS (
          SELECT r.id, r.pages + ${pages of lanes} AS pages,
            (SELECT coalesce(sum(j.pages), 0) FROM jobs j WHERE j.run_id = r.id) AS shares
          FROM crawl_runs r)
        SELECT id, pages, shares FROM counted WHERE pages <> shares
        """,
        row ->
            findings.add(
                "run " + row.number("id"),
                "%d pages are counted, %d by its domains"
                    .formatted(row.number("pages"), row.number("shares")),
                Check.HISTORY));
  }
}
