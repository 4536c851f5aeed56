package dev.comity.store.doctor;

import dev.comity.store.SqlDialect;
import dev.comity.store.sql.Statements;
import java.util.List;

/** No row is left over from another, and numbers are such. */
final class RowsCheck {
  /** A column, and the rows it names. */
  private record Parent(String table, String column, String parent, String key) {}

  /**
   * Columns that hold numbers.
   *
   * @param key what names a row
   * @param wrong what else cannot be
   */
  private record Range(String table, String key, String columns, String wrong) {
    Range(String table, String columns, String wrong) {
      this(table, "id", columns, wrong);
    }
  }

  /** FrontierCheck finds URLs without a domain. */
  private static final List<Parent> PARENTS =
      List.of(
          new Parent("crawl_run_seeds", "run_id", "crawl_runs", "id"),
          new Parent("crawl_run_moves", "run_id", "crawl_runs", "id"),
          new Parent("crawl_run_moves", "domain_id", "domains", "id"),
          new Parent("outside_urls", "domain_id", "domains", "id"),
          new Parent("jobs", "run_id", "crawl_runs", "id"),
          new Parent("jobs", "domain_id", "domains", "id"),
          new Parent("transitions", "domain_id", "domains", "id"),
          new Parent("arrivals", "domain_id", "domains", "id"),
          new Parent("authorities", "domain_id", "domains", "id"),
          new Parent("fallbacks", "url_id", "domain_frontier", "id"),
          new Parent("crawl_run_image_hosts", "run_id", "crawl_runs", "id"),
          new Parent("crawl_run_image_hosts", "domain_id", "domains", "id"),
          new Parent("in_flight", "url_id", "domain_frontier", "id"),
          new Parent("in_flight", "domain_id", "domains", "id"),
          new Parent("crawl_log", "domain_id", "domains", "id"),
          new Parent("crawl_log", "url_id", "domain_frontier", "id"),
          new Parent("pages", "domain_id", "domains", "id"),
          new Parent("pages", "url_id", "domain_frontier", "id"),
          new Parent("url_templates", "domain_id", "domains", "id"),
          new Parent("credits", "domain_id", "domains", "id"),
          new Parent("provenance", "image_id", "images", "id"),
          new Parent("domain_frontier", "source_id", "sources", "id"),
          new Parent("crawl_log", "source_id", "sources", "id"),
          new Parent("domains", "last_crawl_run_id", "crawl_runs", "id"));

  private static final List<Parent> PARENTS_ON_SERVER =
      List.of(
          new Parent("run_domains", "run_id", "crawl_runs", "id"),
          new Parent("run_domains", "domain_id", "domains", "id"),
          new Parent("favours", "domain_id", "domains", "id"),
          new Parent("suspects", "url_id", "domain_frontier", "id"),
          new Parent("workers", "run_id", "crawl_runs", "id"));

  /**
   * A frontier's size is another check's: it is below 0 while URLs that arrived are finished before
   * they are counted in.
   */
  private static final List<Range> RANGES =
      List.of(
          new Range(
              "domains",
              "cooldown_count, claim_token, version, pages_discovered, pages_crawled, requests,"
                  + " images_found, images_stored, urls_done, urls_failed, urls_denied,"
                  + " urls_set_aside, urls_over_cap, urls_suppressed, urls_skipped, page_requests,"
                  + " pruned_requests, pruned_page_requests, pruned_errors, crawl_depth_reached,"
                  + " total_error_count, consecutive_error_count, crawl_delay_ms,"
                  + " adaptive_delay_ms, success_streak, refusal_streak",
              "FALSE"),
          new Range("domain_frontier", "depth, hops, asked, tries_spent", "FALSE"),
          new Range("domain_frontier", "state", "state > 6"),
          new Range("domain_frontier", "kind", "kind > 3"),
          new Range("crawl_log", "delay_ms, bytes", "FALSE"),
          new Range("crawl_log", "finished_at", "finished_at < started_at"),
          new Range("crawl_log", "attempt", "attempt < 1"),
          new Range("pages", "bytes, total_ms", "FALSE"),
          new Range("jobs", "run_id || '/' || domain_id", "pages, unkept, failed_in_row", "FALSE"),
          new Range("arrivals", "discovered, over_cap", "FALSE"),
          new Range("crawl_runs", "pages, max_pages, max_pages_per_domain, lives", "FALSE"),
          new Range(
              "url_templates", "domain_id || ' ' || template", "pages, barren, left_out", "FALSE"));

  private static final Range IN_FLIGHT =
      new Range("in_flight", "url_id", "taken, deaths", "taken > 1");

  private static final List<Range> RANGES_ON_SERVER =
      List.of(
          new Range("suspects", "url_id", "deaths", "deaths < 1"),
          new Range("lanes", "worker || ' ' || lane", "seq, pages, unkept, images", "FALSE"),
          new Range("workers", "allotted, images_allotted", "FALSE"));

  static Check check() {
    return new Check(
        "rows",
        0,
        "every row belongs to one there is, and no number is negative",
        "delete or correct the row: no crawl reads it",
        RowsCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    boolean server = sql.dialect() == SqlDialect.POSTGRES;
    PARENTS.forEach(one -> orphans(sql, one, findings));
    RANGES.forEach(one -> numbers(sql, one, findings));
    if (server) {
      PARENTS_ON_SERVER.forEach(one -> orphans(sql, one, findings));
      RANGES_ON_SERVER.forEach(one -> numbers(sql, one, findings));
    } else {
      numbers(sql, IN_FLIGHT, findings);
    }
  }

  private static void orphans(Statements sql, Parent one, Examination.Findings findings) {
    sql.each(
        """
        SELECT c.%2$s AS value, count(*) AS n FROM %1$s c
        WHERE c.%2$s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %3$s p WHERE p.%4$s = c.%2$s)
        GROUP BY c.%2$s
        """
            .formatted(one.table(), one.column(), one.parent(), one.key()),
        row ->
            findings.add(
                "",
                "%d rows of %s have %s %d, which is not in %s"
                    .formatted(
                        row.number("n"),
                        one.table(),
                        one.column(),
                        row.number("value"),
                        one.parent())));
  }

  private static void numbers(Statements sql, Range one, Examination.Findings findings) {
    for (String column : one.columns().split(", ", -1)) {
      sql.each(
          """
          SELECT %1$s AS name, %2$s AS value FROM %3$s
          WHERE %2$s < 0 OR CAST(${type of}(%2$s) AS TEXT) = 'text' OR %4$s
          """
              .formatted(one.key(), column, one.table(), one.wrong()),
          row ->
              findings.add(
                  "",
                  "row %s of %s has %s %s"
                      .formatted(row.text("name"), one.table(), column, row.text("value"))));
    }
  }
}
