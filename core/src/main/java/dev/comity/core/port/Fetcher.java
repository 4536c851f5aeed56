package dev.comity.core.port;

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
   * @param started called when the first byte of the request is written; not called if none was
   * @throws InterruptedException if the crawl is being stopped
   */
  Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Runnable started)
      throws InterruptedException;

  /**
   * Whether a connection can be made, and closed again without a request. Tells our own outage from
   * theirs.
   */
  boolean reaches(Authority authority) throws InterruptedException;

  /** What the request is for, which decides how much of an answer is read. */
  enum Want {
    /** HTML; other types are not read. */
    PAGE,
    /** The first 500 KiB of whatever comes. */
    ROBOTS
  }
}
