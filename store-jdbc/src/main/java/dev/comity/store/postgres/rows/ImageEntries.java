package dev.comity.store.postgres.rows;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.sql.ResultRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The entries of the frontier that answer for image URLs: their own, or their redirects' ends. */
record ImageEntries(PostgresSession tx, Function<CrawlUrl, DomainName> naming) {
  private static final String ENDS =
      """
      WITH RECURSIVE chain(n, id, hop) AS (
        SELECT u.n, f.id, 0 FROM unnest(?::int[], ?::text[], ?::uuid[]) AS u(n, domain, hash)
          JOIN domains d ON d.domain = u.domain
          JOIN domain_frontier f ON f.domain_id = d.id AND f.url_hash = u.hash
        UNION ALL
        SELECT c.n, m.to_id, c.hop + 1 FROM chain c JOIN image_moves m ON m.from_id = c.id
          WHERE c.hop < 5),
      ends AS (SELECT DISTINCT ON (n) n, id FROM chain ORDER BY n, hop DESC)
      """;

  /** An entry, and the image that it was settled with. */
  record ImageEntry(long id, long domain, int kind, int state, OptionalLong image) {
    private static ImageEntry of(ResultRow row) {
      return new ImageEntry(
          row.getLong(2), row.getLong(3), row.getInt(4), row.getInt(5), row.optionalNumber(6));
    }

    private boolean isQueued() {
      return kind == 3 && state == 0;
    }

    /** Whether a crawl without images skipped it by its ending. */
    private boolean isSkipped() {
      return kind == 0 && state == 6;
    }
  }

  /**
   * The entries of those URLs that are known. Entries that are not settled stay so until the
   * transaction ends, so that the worker that settles them sees what is written here.
   */
  Map<CrawlUrl, ImageEntry> of(Collection<CrawlUrl> urls) {
    Map<CrawlUrl, ImageEntry> entries = new HashMap<>();
    if (urls.isEmpty()) {
      return entries;
    }
    List<CrawlUrl> list = List.copyOf(urls);
    Object[] values = {
      tx.numbers(IntStream.range(0, list.size()).boxed().toList()),
      tx.texts(list.stream().map(url -> naming.apply(url).name()).toList()),
      tx.hashes(list.stream().map(UrlHash::of).toList())
    };
    tx.sql.each(
        ENDS
            + """
            SELECT f.id FROM domain_frontier f WHERE f.id IN (SELECT id FROM ends) AND f.state = 0
            ORDER BY f.id FOR SHARE
            """,
        _ -> {},
        values);
    // A new look: entries that were settled while they were waited for have their images now.
    tx.sql.each(
        ENDS
            + """
            SELECT e.n, f.id, f.domain_id, f.kind, f.state, i.id FROM ends e
            JOIN domain_frontier f ON f.id = e.id
            LEFT JOIN images i ON i.sha256 = f.content_hash AND f.kind = 3 AND f.state = 1
            """,
        row -> entries.put(list.get(row.getInt(1)), ImageEntry.of(row)),
        values);
    return entries;
  }

  /**
   * The run asks the domains of these entries for images. Those that were skipped are queued. Rows
   * of arrivals make a sweep look at the domains.
   */
  static void ask(PostgresSession tx, long run, Collection<ImageEntry> entries) {
    List<Long> skipped =
        entries.stream().filter(ImageEntry::isSkipped).map(ImageEntry::id).toList();
    Set<Long> hosts = new TreeSet<>();
    entries.stream().filter(ImageEntry::isQueued).map(ImageEntry::domain).forEach(hosts::add);
    List<Long> queued = new ArrayList<>();
    if (!skipped.isEmpty()) {
      tx.sql.each(
          """
          UPDATE domain_frontier f SET state = 0, kind = 3 FROM (SELECT l.id FROM domain_frontier l
            WHERE l.id = ANY (?) AND l.state = 6 AND l.asked = 0 ORDER BY l.id FOR UPDATE) s
          WHERE f.id = s.id RETURNING f.domain_id
          """,
          row -> queued.add(row.getLong(1)),
          tx.longs(skipped));
      hosts.addAll(queued);
    }
    if (!hosts.isEmpty()) {
      tx.sql.update(
          """
          WITH new AS (INSERT INTO crawl_run_image_hosts (run_id, domain_id)
            SELECT ?, u.id FROM unnest(?::bigint[]) AS u(id) ORDER BY u.id
            ON CONFLICT DO NOTHING RETURNING domain_id)
          INSERT INTO arrivals (domain_id, discovered, over_cap, skipped)
          SELECT domain_id, 0, 0, 0 FROM new UNION ALL
          SELECT id, count(*), 0, -count(*) FROM unnest(?::bigint[]) AS q(id) GROUP BY id
          """,
          run,
          tx.longs(hosts),
          tx.longs(queued));
    }
  }
}
