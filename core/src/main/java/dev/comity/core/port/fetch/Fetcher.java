package dev.comity.core.port.fetch;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * An HTTP client that sends one request and returns its outcome. It decides nothing: it follows no
 * redirect, retries nothing and keeps no pace. Whatever the server does is an outcome, never an
 * exception.
 */
public interface Fetcher {

  /**
   * Sends one request and waits for its end.
   *
   * @param firstByte how long to wait for the first byte of the response
   * @throws InterruptedException if the crawl is being stopped
   */
  Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException;

  /**
   * Whether a connection can be opened; it is closed again without a request. Tells outages of the
   * crawler's network from those of a site.
   */
  boolean reaches(Authority authority) throws InterruptedException;

  /**
   * The address that a request there would be sent to, for counting the requests in flight per
   * address. A lookup takes time. Without an address the host name is returned: the request will
   * fail by itself.
   */
  default String address(Authority authority) throws InterruptedException {
    return authority.host();
  }

  /** Types of documents that are fetched as pages, beside HTML. */
  default AcceptedTypes accepted() {
    return AcceptedTypes.NONE;
  }

  /** Callbacks of a request in flight. */
  @FunctionalInterface
  interface Departure {
    /**
     * The connection is open and the request is about to be written. Connecting takes time, in
     * which the site may have refused other requests.
     *
     * @return false to cancel it; then nothing is written and the outcome is {@code Cancelled}
     */
    boolean start();

    /**
     * The first byte of the request was written: that is its start. Called once, after {@link
     * #start}, at once. The thread may be held up between the two. A pace counted from {@code
     * start} would be too fast for the site.
     */
    default void started() {}

    /**
     * The head of a 2xx arrived. What this returns is the outcome, and the connection is closed
     * without reading the body.
     */
    default Optional<FetchOutcome> refuse(int code, Headers headers) {
      return Optional.empty();
    }

    /**
     * A body of this length is about to be read, or has grown to it. Waits until there is memory
     * for it; the wait does not count for any time-out.
     *
     * @param length in bytes after decoding, as far as it is known
     */
    default void reserve(long length) throws InterruptedException {}

    /** Whether a body that comes packed by gzip is to be had as it came, too. */
    default boolean keepsReceived() {
      return false;
    }

    /** Of the version that is known: where it is current, the answer has no body. */
    default Validators validators() {
      return Validators.NONE;
    }

    /** Whether {@link #exchanged} is to be called. Asked once; recording an exchange costs. */
    default boolean keepsExchange() {
      return false;
    }

    /** The exchange as it was on the wire. Called before the fetch returns, if an answer came. */
    default void exchanged(WireExchange exchange) {}
  }

  /** What the request is for, which decides how much of a response is read. */
  enum Want {
    /** HTML and what is accepted beside it; other types are not read. */
    PAGE,
    /** The first 500 KiB of any type. */
    ROBOTS,
    /** The first 256 KiB of any type. */
    TDMREP,
    /** As much as of a page, of any type; a longer body is cut off there. */
    SITEMAP,
    /** An image by its first bytes; anything else is not read. */
    IMAGE
  }
}
