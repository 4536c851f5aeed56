package dev.comity.store.crawl;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Links of domains to themselves that depth or patterns leave out, kept for wider terms. They have
 * a table of their own: a link that is found again nearer to a seed enters the frontier as any
 * other.
 *
 * @param most how many are kept for one domain
 */
public record OutsideUrls(
    Statements writing,
    GroupWriter writer,
    ReaderThread reader,
    FrontierWriter urls,
    HeldDomains held,
    int most) {
  private static final int BATCH = 500;

  private record Kept(long id, QueuedUrl entry) {}

  /** Keeps links of a claimed domain, soon. */
  public void keep(Claim claim, List<QueuedUrl> list) {
    Held domain = held.of(claim);
    writer.later(
        () -> {
          if (domain.hasClaim(writing)) {
            keep(domain, list);
          }
        });
  }

  private void keep(Held domain, List<QueuedUrl> list) {
    FrontierWriter.Referrers referrers = Notes.once(urls::find);
    if (domain.outside < 0) {
      domain.outside =
          writing.number("SELECT count(*) FROM outside_urls WHERE domain_id = ?", domain.id);
    }
    for (QueuedUrl entry : list) {
      String url = entry.url().toString();
      Long referrer = entry.referrer().isPresent() ? referrers.id(entry.referrer().get()) : null;
      int nearer =
          writing.update(
              """
              UPDATE outside_urls SET depth = ?1, hops = ?2, referrer_id = ?3
              WHERE domain_id = ?4 AND url = ?5 AND depth > ?1
              """,
              entry.depth(),
              entry.hops(),
              referrer,
              domain.id,
              url);
      if (nearer == 0 && domain.outside < most) {
        domain.outside +=
            writing.update(
                """
                INSERT OR IGNORE INTO outside_urls (domain_id, url, depth, hops, referrer_id)
                VALUES (?, ?, ?, ?, ?)
                """,
                domain.id,
                url,
                entry.depth(),
                entry.hops(),
                referrer);
      }
    }
  }

  /** Moves links that are in scope now into the frontiers of their domains. */
  public int take(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, long now) {
    List<DomainName> domains =
        reader.read(
            sql ->
                sql.list(
                    "SELECT domain FROM domains"
                        + " WHERE id IN (SELECT DISTINCT domain_id FROM outside_urls)",
                    row -> new DomainName(row.getString(1))));
    return domains.stream().filter(about).mapToInt(domain -> take(domain, inScope, now)).sum();
  }

  private int take(DomainName domain, Predicate<QueuedUrl> inScope, long now) {
    int entered = 0;
    long last = 0;
    while (true) {
      long from = last;
      List<Kept> some = reader.read(sql -> after(sql, domain, from));
      if (some.isEmpty()) {
        return entered;
      }
      last = some.getLast().id();
      List<Kept> taken = some.stream().filter(kept -> inScope.test(kept.entry())).toList();
      List<Arrival> arrivals = urls.arrivals(taken.stream().map(Kept::entry).toList());
      entered +=
          writer.write(
              () -> {
                for (Kept one : taken) {
                  writing.update("DELETE FROM outside_urls WHERE id = ?", one.id());
                }
                return urls.add(arrivals, OptionalLong.empty(), urls::find, now).all().queued();
              });
      held.entered(arrivals);
    }
  }

  private static List<Kept> after(Statements sql, DomainName domain, long id) {
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

  private static Kept kept(ResultRow row) {
    QueuedUrl entry =
        new QueuedUrl(
            CrawlUrl.of(row.getString(2)),
            row.getInt(3),
            row.optionalText(5).map(CrawlUrl::of),
            row.getInt(4),
            0,
            0,
            Optional.empty(),
            Optional.empty());
    return new Kept(row.getLong(1), entry);
  }
}
