package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;

/**
 * Sends one request and says what it came to. It decides nothing: it follows no redirect, repeats
 * nothing and waits for nobody's pace. Whatever the other side does is an outcome, never an
 * exception.
 */
public interface Fetcher {

  /**
   * Asks once and waits for the end.
   *
   * @param firstByte how long to wait for the first byte of the answer
   * @throws InterruptedException if the crawl is being stopped
   */
  Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException;

  /**
   * Whether a connection can be made, and closed again without a request. Tells our own outage from
   * theirs.
   */
  boolean reaches(Authority authority) throws InterruptedException;

  /**
   * The address a request there would be sent to, for counting how many are under way to it.
   * Looking a name up takes time. Where a name has no address, or this fetcher knows none, the host
   * stands for itself: the request will find out.
   */
  default String address(Authority authority) throws InterruptedException {
    return authority.host();
  }

  /** The last word before a request leaves. */
  @FunctionalInterface
  interface Departure {
    /**
     * A connection is there and the request is about to be written. Connecting takes time, in which
     * the site may have asked to be left alone.
     *
     * @return false to call it back; then nothing is written and the outcome is {@code Cancelled}
     */
    boolean start();

    /**
     * The first byte of the request has left: that is the start. Told once, after {@link #start}
     * and as soon as it is true; between the two a thread may be held up for any time, and a pace
     * that is counted from the first would be too fast for the site.
     */
    default void started() {}

    /**
     * A body of this length is about to be read, or has grown to it. Waits until there is memory
     * for that; the wait counts for no time-out.
     *
     * @param length in bytes after decoding, as far as it is known
     */
    default void reserve(long length) throws InterruptedException {}
  }

  /** What the request is for, which decides how much of an answer is read. */
  enum Want {
    /** HTML; other types are not read. */
    PAGE,
    /** The first 500 KiB of whatever comes. */
    ROBOTS,
    /** As much as of a page, of whatever comes; what is longer is cut off there. */
    SITEMAP
  }
}
