package dev.comity.store.crawl;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.UrlKey;
import dev.comity.store.sql.UrlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Mends what a domain has in other tables. A URL that cannot be read any more is taken out, unless
 * its key tells what it was; then the counters are made to say what is there.
 */
public record Mending(Statements sql, long id, String domain) {
  private static final String RECOUNT =
      """
      UPDATE domains SET urls_over_cap = ${greatest}(0, urls_over_cap),
        frontier_size = m.queued - a.discovered, urls_done = m.done, urls_failed = m.failed,
        urls_denied = m.denied, urls_set_aside = m.set_aside, urls_suppressed = m.suppressed,
        urls_skipped = m.skipped - a.skipped,
        pages_discovered = ${greatest}(0, urls_over_cap) + m.kept - a.discovered - a.skipped,
        requests = ${greatest}(0, pruned_requests) + l.requests,
        page_requests = ${greatest}(0, pruned_page_requests) + l.page_requests,
        pages_crawled = p.pages,
        total_error_count = ${greatest}(0, pruned_errors) + l.errors,
        images_found = CASE pruned_requests WHEN 0 THEN l.images ELSE images_found END,
        version = version + 1
      FROM (
        SELECT count(*) AS kept, count(CASE state WHEN 0 THEN 1 END) AS queued,
          count(CASE state WHEN 1 THEN 1 END) AS done,
          count(CASE state WHEN 2 THEN 1 END) AS failed,
          count(CASE state WHEN 3 THEN 1 END) AS denied,
          count(CASE state WHEN 4 THEN 1 END) AS set_aside,
          count(CASE state WHEN 5 THEN 1 END) AS suppressed,
          count(CASE state WHEN 6 THEN 1 END) AS skipped
        FROM domain_frontier WHERE domain_id = ?) m,
        (SELECT count(*) AS requests, count(CASE kind WHEN 'page' THEN 1 END) AS page_requests,
          coalesce(sum(is_error), 0) AS errors, coalesce(sum(images_found), 0) AS images
        FROM crawl_log WHERE domain_id = ?) l,
        (SELECT count(DISTINCT url_id) AS pages FROM pages WHERE domain_id = ?) p,
        (SELECT coalesce(sum(discovered), 0) AS discovered, coalesce(sum(skipped), 0) AS skipped
        FROM arrivals WHERE domain_id = ?) a
      WHERE domains.id = ?
      """;

  void mend() {
    restoreAuthorities();
    examine();
    Templates.mend(sql, domain);
    recount(sql, id);
    Claims.fold(sql, id);
  }

  private record Authority(long number, Optional<String> text, String target, long key) {}

  /** A scheme and host that is lost is found again by the key of one of its URLs. */
  private void restoreAuthorities() {
    List<Authority> used =
        sql.list(
            """
            SELECT f.authority_no, a.authority, f.target, f.url_key
            FROM domain_frontier f
            LEFT JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
            WHERE f.domain_id = ? GROUP BY f.authority_no
            """,
            row ->
                new Authority(
                    row.getLong(1), row.optionalText(2), row.getString(3), row.getLong(4)),
            id);
    for (Authority one : used) {
      boolean sound = UrlText.read(0, one.text().orElse(null), "/", domain).value().isPresent();
      if (!sound) {
        restore(one);
      }
    }
  }

  private void restore(Authority lost) {
    for (String scheme : List.of("https://", "http://")) {
      for (String host : List.of(domain, "www." + domain)) {
        String candidate = scheme + host;
        Optional<CrawlUrl> url = UrlText.read(0, candidate, lost.target(), domain).value();
        if (url.isPresent() && new UrlKey().applyAsLong(url.get()) == lost.key()) {
          sql.update(
              """
              INSERT INTO authorities (domain_id, number, authority) VALUES (?, ?, ?)
              ON CONFLICT (domain_id, number) DO UPDATE SET authority = excluded.authority
              """,
              id,
              lost.number(),
              candidate);
          return;
        }
      }
    }
  }

  private record Url(long id, long key, Stored<CrawlUrl> text) {}

  /** Takes out what cannot be read or is there twice, and puts the rest where it is found. */
  private void examine() {
    UrlKey keys = new UrlKey();
    List<Url> wrong = new ArrayList<>();
    sql.each(
        """
        SELECT f.id, f.url_key, a.authority, f.target FROM domain_frontier f
        LEFT JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
        WHERE f.domain_id = ?
        """,
        row -> {
          Stored<CrawlUrl> text =
              UrlText.read(row.getLong(1), row.getString(3), row.getString(4), domain);
          Optional<CrawlUrl> url = text.value();
          if (url.isEmpty() || keys.applyAsLong(url.get()) != row.getLong(2)) {
            wrong.add(new Url(row.getLong(1), row.getLong(2), text));
          }
        },
        id);
    List<Long> lost = new ArrayList<>();
    for (Url one : wrong) {
      if (!(one.text() instanceof Stored.Sound(var url)) || !isMoved(one, keys.applyAsLong(url))) {
        lost.add(one.id());
      }
    }
    if (!lost.isEmpty()) {
      takeOut(lost);
    }
  }

  /** Moves it to the first free key from its own on; not where it is met on the way. */
  private boolean isMoved(Url one, long own) {
    for (long key = own; key != one.key(); key++) {
      Optional<Boolean> same =
          sql.first(
              """
              SELECT f.target = m.target AND f.authority_no = m.authority_no
              FROM domain_frontier f, domain_frontier m
              WHERE f.domain_id = ? AND f.url_key = ? AND m.id = ?
              """,
              row -> row.getBoolean(1),
              id,
              key,
              one.id());
      if (same.isEmpty()) {
        sql.update("UPDATE domain_frontier SET url_key = ? WHERE id = ?", key, one.id());
        return true;
      }
      if (same.get()) {
        return false;
      }
    }
    return true;
  }

  /** Requests that were made for them stay in the log, with the text that is left of them. */
  private void takeOut(List<Long> urls) {
    sql.execute("CREATE TEMP TABLE IF NOT EXISTS taken_out (id INTEGER PRIMARY KEY)");
    sql.update("DELETE FROM taken_out");
    for (long url : urls) {
      sql.update("INSERT INTO taken_out (id) VALUES (?)", url);
    }
    sql.update(
        """
        UPDATE crawl_log SET url_id = NULL, url = (
          SELECT coalesce(a.authority, '') || f.target FROM domain_frontier f
          LEFT JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
          WHERE f.id = crawl_log.url_id)
        WHERE domain_id = ? AND url_id IN (SELECT id FROM taken_out)
        """,
        id);
    sql.update(
        "UPDATE domain_frontier SET referrer_id = NULL"
            + " WHERE referrer_id IN (SELECT id FROM taken_out)");
    for (String table : List.of("pages", "fallbacks", "in_flight")) {
      sql.update("DELETE FROM " + table + " WHERE url_id IN (SELECT id FROM taken_out)");
    }
    sql.update("DELETE FROM domain_frontier WHERE id IN (SELECT id FROM taken_out)");
  }

  /**
   * Makes the counters of a domain say what is there. What was counted and not kept stays. Arrivals
   * that are not counted in yet are left to the sweep: one statement sees them and their URLs at
   * the same moment, whatever others insert.
   */
  public static void recount(Statements sql, long domain) {
    sql.update(RECOUNT, domain, domain, domain, domain, domain);
  }
}
