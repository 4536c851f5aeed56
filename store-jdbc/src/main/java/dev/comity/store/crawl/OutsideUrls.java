package dev.comity.store.crawl;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Links of domains to themselves that depth or patterns leave out, kept for wider terms. They have
 * a table of their own: a link that is found again nearer to a seed enters the frontier as any
 * other.
 */
public record OutsideUrls(Statements sql) {
  private static final int BATCH = 500;

  /** One of them and its row. */
  public record Kept(long id, QueuedUrl entry) {}

  /** Runs in the writer's thread. */
  public void keep(
      HeldDomain held, List<QueuedUrl> urls, FrontierWriter.Referrers referrers, int most)
      throws SQLException {
    if (held.outside < 0) {
      held.outside = sql.number("SELECT count(*) FROM outside_urls WHERE domain_id = ?", held.id);
    }
    for (QueuedUrl entry : urls) {
      String url = entry.url().toString();
      Long referrer = referrer(entry, referrers);
      int nearer =
          sql.update(
              """
              UPDATE outside_urls SET depth = ?1, hops = ?2, referrer_id = ?3
              WHERE domain_id = ?4 AND url = ?5 AND depth > ?1
              """,
              entry.depth(),
              entry.hops(),
              referrer,
              held.id,
              url);
      if (nearer == 0 && held.outside < most) {
        held.outside +=
            sql.update(
                """
                INSERT OR IGNORE INTO outside_urls (domain_id, url, depth, hops, referrer_id)
                VALUES (?, ?, ?, ?, ?)
                """,
                held.id,
                url,
                entry.depth(),
                entry.hops(),
                referrer);
      }
    }
  }

  private static @Nullable Long referrer(QueuedUrl entry, FrontierWriter.Referrers referrers)
      throws SQLException {
    return entry.referrer().isPresent() ? referrers.id(entry.referrer().get()) : null;
  }

  /** The domains that have any. */
  public static List<DomainName> domains(Statements sql) throws SQLException {
    return sql.list(
        "SELECT domain FROM domains WHERE id IN (SELECT DISTINCT domain_id FROM outside_urls)",
        row -> new DomainName(row.getString(1)));
  }

  /** Some of a domain's, after that row. */
  public static List<Kept> after(Statements sql, DomainName domain, long id) throws SQLException {
    return sql.list(
        """
        SELECT o.id, o.url, o.depth, o.hops, (SELECT r.url FROM urls r WHERE r.id = o.referrer_id)
        FROM outside_urls o
        WHERE o.domain_id = (SELECT id FROM domains WHERE domain = ?) AND o.id > ?
        ORDER BY o.id LIMIT ?
        """,
        OutsideUrls::kept,
        domain.name(),
        id,
        BATCH);
  }

  private static Kept kept(ResultSet row) throws SQLException {
    String referrer = row.getString(5);
    QueuedUrl entry =
        new QueuedUrl(
            CrawlUrl.of(row.getString(2)),
            row.getInt(3),
            referrer == null ? Optional.empty() : Optional.of(CrawlUrl.of(referrer)),
            row.getInt(4),
            0,
            0,
            Optional.empty(),
            Optional.empty());
    return new Kept(row.getLong(1), entry);
  }

  public void drop(List<Kept> taken) throws SQLException {
    for (Kept one : taken) {
      sql.update("DELETE FROM outside_urls WHERE id = ?", one.id());
    }
  }
}
