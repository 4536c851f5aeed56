package dev.comity.store.postgres.rows;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.UrlText;
import java.util.ArrayList;
import java.util.List;

/** What of a domain cannot be read any more, and would set it aside again. */
public final class UnreadableRows {
  private UnreadableRows() {}

  /**
   * Takes URLs out that cannot be read or are not at their own keys, and templates that cannot be
   * read. Requests that were made for them stay in the log. The domain's row is locked.
   */
  public static void takeOut(PostgresSession tx, long domain) {
    String name =
        tx.sql
            .first("SELECT domain FROM domains WHERE id = ?", row -> row.getString(1), domain)
            .orElseThrow();
    Templates.mend(tx.sql, name);
    List<Long> lost = new ArrayList<>();
    tx.sql.each(
        "SELECT id, url_hash, url FROM domain_frontier WHERE domain_id = ?",
        row -> {
          Stored<CrawlUrl> url = UrlText.read(row.getLong(1), "", row.getString(3), name);
          if (url.value()
              .map(UrlHash::of)
              .filter(own -> own.toString().equals(row.getString(2)))
              .isEmpty()) {
            lost.add(row.getLong(1));
          }
        },
        domain);
    if (lost.isEmpty()) {
      return;
    }
    tx.sql.update(
        """
        UPDATE crawl_log l SET url_id = NULL, url = f.url FROM domain_frontier f
        WHERE l.domain_id = ? AND l.url_id = ANY (?) AND f.domain_id = l.domain_id
          AND f.id = l.url_id
        """,
        domain,
        tx.longs(lost));
    tx.sql.update(
        "UPDATE domain_frontier SET referrer_id = NULL WHERE referrer_id = ANY (?)",
        tx.longs(lost));
    for (String table : List.of("pages", "fallbacks", "in_flight", "suspects", "refusals")) {
      tx.sql.update("DELETE FROM " + table + " WHERE url_id = ANY (?)", tx.longs(lost));
    }
    tx.sql.update(
        "DELETE FROM domain_frontier WHERE domain_id = ? AND id = ANY (?)", domain, tx.longs(lost));
  }
}
