package dev.comity.store.report;

import dev.comity.store.report.RowFilter.Condition;
import dev.comity.store.sql.KeptJson;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Rows for other programs, handed over one by one. Memory holds one batch of them. */
public final class FilteredRows {
  /** How many rows are asked for at a time, so that no reader holds up the crawl's log. */
  private static final int BATCH = 1000;

  private static final String REFERRER =
      " (SELECT r.url FROM urls r WHERE r.id = f.referrer_id) AS referrer ";

  /** Requests that ended a URL without anything that is kept. */
  private static final String ASKED =
      """
      SELECT l.id, l.run_id, d.domain, ${url} AS url, l.fate AS state, l.outcome,
        l.status, l.error, l.attempt, f.depth, l.started_at,\
      """
          + REFERRER
          + """
          FROM crawl_log l
          JOIN domains d ON d.id = l.domain_id
          JOIN domain_frontier f ON f.id = l.url_id AND f.state <> 1
          ${authority}
          WHERE l.fate IN ('failed', 'skipped') AND l.id > ?
          """;

  /** URLs that a rule kept from being asked. */
  private static final String UNASKED =
      """
      SELECT f.id, NULL AS run_id, d.domain, u.url, u.state, NULL AS status, r.words AS error,
        f.asked AS attempt, f.depth, NULL AS started_at,\
      """
          + REFERRER
          + """
          FROM domain_frontier f
          JOIN domains d ON d.id = f.domain_id
          JOIN urls u ON u.id = f.id
          LEFT JOIN refusals r ON r.url_id = f.id
          WHERE (f.state IN (3, 4, 5) OR f.state = 6 AND f.asked = 0) AND f.id > ?
          """;

  /** Requests of a list that ended a URL without a page: a page that is missing is none there. */
  private static final String ASKED_IN_VAIN =
      """
      SELECT l.id, l.run_id, d.domain, ${url} AS url, l.fate AS state, l.outcome,
        l.status, l.error, l.attempt, f.depth, l.started_at,\
      """
          + REFERRER
          + """
          FROM crawl_log l
          JOIN domains d ON d.id = l.domain_id
          JOIN domain_frontier f ON f.id = l.url_id
          ${authority}
          WHERE l.kind IN ('page', 'image') AND l.id > ?
            AND (l.fate IN ('failed', 'denied', 'skipped') OR l.fate = 'done' AND l.status >= 400)
          """;

  /** URLs of lists and seeds that were not asked, or not to their end. */
  private static final String UNASKED_OF_LIST =
      """
      SELECT f.id, NULL AS run_id, d.domain, u.url, u.state, NULL AS status,
        coalesce(r.words, d.block_reason) AS error, f.asked AS attempt, f.depth,
        NULL AS started_at,\
      """
          + REFERRER
          + """
          FROM domain_frontier f
          JOIN domains d ON d.id = f.domain_id
          JOIN urls u ON u.id = f.id
          LEFT JOIN refusals r ON r.url_id = f.id
          WHERE f.depth = 0 AND f.kind IN (0, 3) AND f.id > ?
            AND (f.state IN (0, 4) OR f.state IN (2, 3, 5, 6) AND f.asked = 0)
          """;

  private final Statements sql;
  private final RowFilter filter;

  FilteredRows(Statements sql, RowFilter filter) {
    this.sql = sql;
    this.filter = filter;
  }

  /** Domains, by id. Only the filter's domains count. */
  public void eachDomain(Consumer<DomainRecord> reader) {
    each(
        StoreReader.DOMAINS + " WHERE d.id > ?",
        filter.ofDomains(),
        " ORDER BY d.id LIMIT ?",
        DomainRecord::read,
        DomainRecord::id,
        reader);
  }

  /** Requests in the log, in the order they were settled in. */
  public void eachRequest(Consumer<RequestRecord> reader) {
    each(
        StoreReader.REQUESTS + " WHERE l.id > ?",
        filter.requests("l"),
        " ORDER BY l.id LIMIT ?",
        RequestRecord::read,
        RequestRecord::id,
        reader);
  }

  /** The names of the fields that pages have, as they first occur. */
  public List<String> fieldNames() {
    Set<String> names = new LinkedHashSet<>();
    each(
        "SELECT p.id, p.fields FROM pages p JOIN domains d ON d.id = p.domain_id"
            + " WHERE p.id > ? AND p.fields IS NOT NULL",
        filter.requests("p"),
        " ORDER BY p.id LIMIT ?",
        row -> new PageFieldNames(row.getLong(1), KeptJson.readFields(row.getString(2)).keySet()),
        PageFieldNames::page,
        fields -> names.addAll(fields.names()));
    return List.copyOf(names);
  }

  private record PageFieldNames(long page, Set<String> names) {}

  /** Pages, in the order they were settled in. */
  public void eachPage(Consumer<PageRecord> reader) {
    Condition condition = filter.requests("p");
    String query =
        StoreReader.PAGES + " WHERE p.id > ?" + condition.sql() + " ORDER BY p.id LIMIT ?";
    PageBatch batch = new PageBatch(BATCH);
    long last = Long.MIN_VALUE;
    List<PageRecord> pages;
    do {
      List<Object> values = new ArrayList<>();
      values.add(last);
      values.addAll(condition.values());
      values.add(batch.next());
      pages = sql.list(query, PageRecord::read, values.toArray());
      pages.forEach(reader);
      last = pages.isEmpty() ? last : pages.getLast().id();
    } while (!batch.saw(pages));
  }

  /**
   * Sightings of images, in the order in which they were found. The domain is that of the page, the
   * time that of the first sighting.
   */
  public void eachImage(Consumer<ImageRecord> reader) {
    each(
        ImageRecord.SELECT + " WHERE s.id > ?",
        filter.sightings(),
        " ORDER BY s.id LIMIT ?",
        ImageRecord::read,
        ImageRecord::id,
        reader);
  }

  /** Each image whose file is kept, once, as it was first seen. */
  public void eachKeptImage(Consumer<ImageRecord> reader) {
    each(
        ImageRecord.SELECT
            + " WHERE s.id > ? AND i.kept = 1 AND NOT EXISTS (SELECT 1 FROM provenance e"
            + " WHERE e.image_id = s.image_id AND e.id < s.id)",
        new Condition("", List.of()),
        " ORDER BY s.id LIMIT ?",
        ImageRecord::read,
        ImageRecord::id,
        reader);
  }

  /**
   * URLs that were not fetched, with the reason: first those that were asked in vain, a row for
   * each run, then those that were never asked. The latter belong to no run and no time: a filter
   * by run, status or time leaves them out.
   */
  public void eachUnfetched(Consumer<UnfetchedRecord> reader) {
    each(
        ASKED,
        filter.requests("l"),
        " ORDER BY l.id LIMIT ?",
        UnfetchedRecord::asked,
        UnfetchedRecord::id,
        reader);
    if (filter.ofDomains().equals(filter.requests("l"))) {
      each(
          UNASKED,
          filter.ofDomains(),
          " ORDER BY f.id LIMIT ?",
          UnfetchedRecord::unasked,
          UnfetchedRecord::id,
          reader);
    }
  }

  /**
   * URLs of a list without a page or an image, with the reason: those that the filter's run asked
   * in vain, then those of any list that were not asked. A filter by run does not hold for the
   * latter.
   */
  public void eachWithoutPage(Consumer<UnfetchedRecord> reader) {
    each(
        ASKED_IN_VAIN,
        filter.requests("l"),
        " ORDER BY l.id LIMIT ?",
        UnfetchedRecord::asked,
        UnfetchedRecord::id,
        reader);
    each(
        UNASKED_OF_LIST,
        filter.ofDomains(),
        " ORDER BY f.id LIMIT ?",
        UnfetchedRecord::unasked,
        UnfetchedRecord::id,
        reader);
  }

  /**
   * Asks for one batch after the other by where the last one ended. A single long query would keep
   * the database's write-ahead log growing for as long as its reader is slow.
   */
  private <T> void each(
      String query,
      Condition condition,
      String order,
      Function<ResultRow, T> row,
      ToLongFunction<T> id,
      Consumer<T> reader) {
    List<Object> values = new ArrayList<>();
    values.add(Long.MIN_VALUE);
    values.addAll(condition.values());
    values.add(BATCH);
    while (true) {
      List<T> batch = sql.list(query + condition.sql() + order, row, values.toArray());
      batch.forEach(reader);
      if (batch.size() < BATCH) {
        return;
      }
      values.set(0, id.applyAsLong(batch.getLast()));
    }
  }
}
