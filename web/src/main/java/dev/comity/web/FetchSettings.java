package dev.comity.web;

import java.time.Duration;

/**
 * How long and how much the fetcher takes of one answer.
 *
 * @param connect for each address that is tried
 * @param firstByte from the request to the answer's headers; also for each step of a TLS handshake
 * @param idle between two bytes of a body
 * @param total for everything together
 * @param pageLimit how many bytes a page may have after decoding, and any layer of it before
 * @param robotsLimit how many decoded bytes of a robots.txt are kept
 * @param idleConnections how many connections are kept open for another request, in all
 * @param keepAlive how long such a connection is kept
 */
public record FetchSettings(
    Duration connect,
    Duration firstByte,
    Duration idle,
    Duration total,
    int pageLimit,
    int robotsLimit,
    int idleConnections,
    Duration keepAlive) {

  private static final Duration LONGEST = Duration.ofDays(1);

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
    between("connect", connect);
    between("first-byte", firstByte);
    between("idle", idle);
    between("total", total);
    between("keep-alive", keepAlive);
    positive("page-limit", pageLimit);
    positive("robots-limit", robotsLimit);
    if (idleConnections < 0) {
      throw new IllegalArgumentException("idle-connections cannot be negative: " + idleConnections);
    }
  }

  /** The same with another wait for the first byte. */
  public FetchSettings withFirstByte(Duration wait) {
    return new FetchSettings(
        connect, wait, idle, total, pageLimit, robotsLimit, idleConnections, keepAlive);
  }

  private static void between(String key, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(key + " must lie between 1 ms and 1 day: " + value);
    }
  }

  private static void positive(String key, int value) {
    if (value < 1 || value == Integer.MAX_VALUE) {
      throw new IllegalArgumentException(key + " must be a positive number of bytes: " + value);
    }
  }
}
