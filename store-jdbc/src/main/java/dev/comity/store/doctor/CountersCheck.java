package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;

/** Counters say what the log says, with what was pruned from it. */
final class CountersCheck {
  private static final String COMPARED =
      """
      WITH log AS MATERIALIZED (
        SELECT domain_id, count(*) AS requests, sum(kind = 'page') AS page_requests,
          sum(is_error) AS errors, sum(images_found) AS images_found,
          sum(images_stored) AS images_stored
        FROM crawl_log NOT INDEXED GROUP BY domain_id),
      kept AS MATERIALIZED (
        SELECT domain_id, count(DISTINCT url_id) AS pages FROM pages GROUP BY domain_id),
      counted AS (
        SELECT d.domain, d.requests, d.page_requests, d.pages_crawled, d.total_error_count,
          d.pruned_requests, d.images_found, d.images_stored,
          coalesce(l.images_found, 0) AS logged_found,
          coalesce(l.images_stored, 0) AS logged_stored,
          d.pruned_requests + coalesce(l.requests, 0) AS logged_requests,
          d.pruned_page_requests + coalesce(l.page_requests, 0) AS logged_page_requests,
          coalesce(k.pages, 0) AS kept_pages,
          d.pruned_errors + coalesce(l.errors, 0) AS logged_errors
        FROM domains d LEFT JOIN log l ON l.domain_id = d.id LEFT JOIN kept k ON k.domain_id = d.id)
      SELECT * FROM counted
      WHERE requests <> logged_requests OR page_requests <> logged_page_requests
        OR pages_crawled <> kept_pages OR total_error_count <> logged_errors
        OR pruned_requests = 0 AND (images_found <> logged_found OR images_stored <> logged_stored)
      """;

  static Check check() {
    return new Check(
        "counters",
        13,
        "counters equal what the log holds, what was pruned from it and the pages kept",
        Check.RESET,
        CountersCheck::examine);
  }

  private static void examine(Statements sql, Examination.Notes notes) {
    sql.each(COMPARED, row -> compare(row, notes));
    LastStart.examine(sql, notes);
    runs(sql, notes);
  }

  private static void compare(ResultRow row, Examination.Notes notes) {
    compare(row, "requests", "logged_requests", "requests", notes);
    compare(row, "page_requests", "logged_page_requests", "page requests", notes);
    compare(row, "total_error_count", "logged_errors", "errors", notes);
    if (row.number("pages_crawled") != row.number("kept_pages")) {
      notes.add(
          row.text("domain"),
          "%d pages are counted, %d are kept"
              .formatted(row.number("pages_crawled"), row.number("kept_pages")));
    }
    if (row.number("pruned_requests") == 0) {
      compare(row, "images_found", "logged_found", "images found", notes);
      compare(row, "images_stored", "logged_stored", "images stored", notes);
    }
  }

  private static void compare(
      ResultRow row, String counter, String logged, String word, Examination.Notes notes) {
    if (row.number(counter) != row.number(logged)) {
      notes.add(
          row.text("domain"),
          "%d %s are counted, %d are in the log or pruned"
              .formatted(row.number(counter), word, row.number(logged)));
    }
  }

  private static void runs(Statements sql, Examination.Notes notes) {
    sql.each(
        """
        SELECT r.id, r.pages, coalesce(sum(j.pages), 0) AS shares
        FROM crawl_runs r LEFT JOIN jobs j ON j.run_id = r.id
        GROUP BY r.id HAVING r.pages <> coalesce(sum(j.pages), 0)
        """,
        row ->
            notes.add(
                "run " + row.number("id"),
                "%d pages are counted, %d by its domains"
                    .formatted(row.number("pages"), row.number("shares")),
                Check.HISTORY));
  }
}
