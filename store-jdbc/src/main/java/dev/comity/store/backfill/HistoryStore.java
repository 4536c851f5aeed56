package dev.comity.store.backfill;

import dev.comity.store.sql.Statements;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store that takes over what other programs crawled. A domain is handed over in three steps: the
 * domain, its URLs in portions, its end. What is there already keeps its state. A crash leaves
 * whole domains, and perhaps one without some of its URLs; the next backfill adds them.
 */
public interface HistoryStore extends AutoCloseable {
  /** What became of a domain. */
  enum Opened {
    NEW,
    KNOWN,
    /** A worker holds it, so it cannot be changed now. */
    HELD,
    /** It is set aside as damaged. */
    DAMAGED
  }

  /** How many URLs are new, by what they are; all others were known. */
  record UrlsTaken(long pages, long queued, long failed, long known, long noRoom) {
    static final UrlsTaken NONE = new UrlsTaken(0, 0, 0, 0, 0);

    UrlsTaken and(UrlsTaken more) {
      return new UrlsTaken(
          pages + more.pages,
          queued + more.queued,
          failed + more.failed,
          known + more.known,
          noRoom + more.noRoom);
    }
  }

  /**
   * How a store stands, by the validation queries of a backfill.
   *
   * @param backfilled domains that a backfill brought
   */
  record Coverage(long backfilled, long domains, Map<String, StatusAverages> byStatus) {
    static Coverage of(Statements sql) {
      Map<String, StatusAverages> byStatus = new TreeMap<>();
      sql.each(
          """
          SELECT status, count(*), avg(image_yield_rate), avg(pages_crawled) FROM domains
          WHERE source LIKE 'backfill%' GROUP BY status
          """,
          row ->
              byStatus.put(
                  row.getString(1),
                  new StatusAverages(
                      row.getLong(2),
                      row.optionalReal(3).orElse(0.0),
                      row.optionalReal(4).orElse(0.0))));
      return new Coverage(
          sql.number("SELECT count(*) FROM domains WHERE source LIKE 'backfill%'"),
          sql.number("SELECT count(*) FROM domains"),
          byStatus);
    }
  }

  /** Domains of one status that a backfill brought. */
  record StatusAverages(long domains, double averageYield, double averagePages) {}

  /** Whether a domain is there. Changes nothing. */
  boolean knows(String domain);

  /**
   * Takes a domain over, and its counters where they are larger.
   *
   * @param origin what a new domain came from
   */
  Opened open(PastDomain domain, String origin);

  /** Takes URLs of the domain that was opened last. */
  UrlsTaken take(List<PastUrl> urls);

  /** The domain has all its URLs. */
  void end();

  /** Makes everything durable that was taken. */
  void commit();

  /** Compares what is there with what was to come. */
  Coverage coverage();

  @Override
  void close();
}
