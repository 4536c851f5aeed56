package dev.comity.web.http;

import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.util.Require;
import java.time.Duration;

/**
 * How long and how much the fetcher takes of one answer.
 *
 * @param connect for each address that is tried
 * @param firstByte from the request to the answer's headers; also for a whole TLS handshake
 * @param idle between two bytes of a body, over TLS between two records
 * @param total for everything together
 * @param pageLimit how many bytes a page may have after decoding, and any layer of it before
 * @param robotsLimit how many decoded bytes of a robots.txt are kept
 * @param idleConnections how many connections are kept open for another request, in all
 * @param keepAlive how long such a connection is kept
 * @param accepted types of documents that are read as pages, beside HTML
 */
public record FetchSettings(
    Duration connect,
    Duration firstByte,
    Duration idle,
    Duration total,
    int pageLimit,
    int robotsLimit,
    int idleConnections,
    Duration keepAlive,
    AcceptedTypes accepted) {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_BYTES = Integer.MAX_VALUE - 1;

  /** What a crawl uses unless told otherwise. */
  public static final FetchSettings DEFAULT =
      new FetchSettings(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60),
          10 * 1024 * 1024,
          500 * 1024,
          1_024,
          Duration.ofSeconds(30));

  public FetchSettings {
    Require.within(SHORTEST, LONGEST, connect, "connect-timeout");
    Require.within(SHORTEST, LONGEST, firstByte, "longest-first-byte");
    Require.within(SHORTEST, LONGEST, idle, "idle-timeout");
    Require.within(SHORTEST, LONGEST, total, "total-timeout");
    Require.within(SHORTEST, LONGEST, keepAlive, "keep-alive");
    Require.within(1, MOST_BYTES, pageLimit, "page-limit");
    Require.within(1, MOST_BYTES, robotsLimit, "robots-limit");
    Require.atLeast(0, idleConnections, "idle-connections");
  }

  /** Settings that accept HTML alone. */
  public FetchSettings(
      Duration connect,
      Duration firstByte,
      Duration idle,
      Duration total,
      int pageLimit,
      int robotsLimit,
      int idleConnections,
      Duration keepAlive) {
    this(
        connect,
        firstByte,
        idle,
        total,
        pageLimit,
        robotsLimit,
        idleConnections,
        keepAlive,
        AcceptedTypes.NONE);
  }

  /** The same with other documents beside HTML. */
  public FetchSettings accepting(AcceptedTypes other) {
    return new FetchSettings(
        connect, firstByte, idle, total, pageLimit, robotsLimit, idleConnections, keepAlive, other);
  }

  /** The same with another wait for the first byte. */
  public FetchSettings withFirstByte(Duration wait) {
    return new FetchSettings(
        connect, wait, idle, total, pageLimit, robotsLimit, idleConnections, keepAlive, accepted);
  }
}
