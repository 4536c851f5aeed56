package dev.comity.store.backfill;

import java.util.List;

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
    DAMAGED,
    /** It has images but no request, and the store does not know it: nothing was done. */
    UNVISITED
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

  @Override
  void close();
}
