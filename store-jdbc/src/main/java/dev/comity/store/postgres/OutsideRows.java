package dev.comity.store.postgres;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Links of domains to themselves that depth or patterns leave out, kept for wider terms.
 *
 * @param most how many are kept for one domain
 */
record OutsideRows(FrontierInserts inserts, int most) {
  private static final int BATCH = 500;

  /** A link and its row. */
  record KeptLink(long id, QueuedUrl entry) {}

  /** Keeps links of a claimed domain; the nearest find of each counts. */
  void keep(PostgresSession tx, FlushPiece.Outside piece) {
    Map<String, QueuedUrl> nearest = new LinkedHashMap<>();
    for (QueuedUrl entry : piece.urls()) {
      nearest.merge(
          entry.url().toString(), entry, (one, other) -> other.depth() < one.depth() ? other : one);
    }
    long room =
        most
            - tx.sql.number(
                "SELECT count(*) FROM outside_urls WHERE domain_id = ?", piece.domain().id);
    List<QueuedUrl> links = nearest.values().stream().limit(Math.max(0, room)).toList();
    if (links.isEmpty()) {
      return;
    }
    Set<CrawlUrl> pages = new HashSet<>();
    links.forEach(link -> link.referrer().ifPresent(pages::add));
    Map<CrawlUrl, Long> referrers = inserts.find(tx, pages);
    List<@Nullable Long> referrer = new ArrayList<>();
    links.forEach(link -> referrer.add(link.referrer().map(referrers::get).orElse(null)));
    tx.sql.update(
        """
        INSERT INTO outside_urls AS o (domain_id, url, depth, hops, referrer_id)
        SELECT ?, u.* FROM unnest(?::text[], ?::int[], ?::int[], ?::bigint[]) AS u
        ON CONFLICT (domain_id, url) DO UPDATE SET depth = excluded.depth, hops = excluded.hops,
          referrer_id = excluded.referrer_id WHERE o.depth > excluded.depth
        """,
        piece.domain().id,
        tx.texts(links.stream().map(link -> link.url().toString()).toList()),
        tx.numbers(links.stream().map(QueuedUrl::depth).toList()),
        tx.numbers(links.stream().map(QueuedUrl::hops).toList()),
        tx.numbers(referrer));
  }

  /** The domains that have some. */
  static List<DomainName> domains(Statements sql) {
    return sql.list(
        "SELECT domain FROM domains WHERE id IN (SELECT DISTINCT domain_id FROM outside_urls)",
        row -> new DomainName(row.getString(1)));
  }

  /** The links of a domain after this row. */
  static List<KeptLink> after(Statements sql, DomainName domain, long id) {
    return sql.list(
        """
        SELECT o.id, o.url, o.depth, o.hops,
          (SELECT r.url FROM domain_frontier r WHERE r.id = o.referrer_id)
        FROM outside_urls o
        WHERE o.domain_id = (SELECT id FROM domains WHERE domain = ?) AND o.id > ?
        ORDER BY o.id LIMIT ?
        """,
        OutsideRows::kept,
        domain.name(),
        id,
        BATCH);
  }

  private static KeptLink kept(ResultRow row) {
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
    return new KeptLink(row.getLong(1), entry);
  }

  /** Those of them that are in scope now. */
  static List<KeptLink> inScope(List<KeptLink> some, Predicate<QueuedUrl> scope) {
    return some.stream().filter(kept -> scope.test(kept.entry())).toList();
  }
}
