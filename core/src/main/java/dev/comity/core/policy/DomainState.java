package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a domain's pace and health.
 *
 * @param lastStart when the last request to it began
 * @param crawlDelay the longest Crawl-delay of its robots.txt files
 * @param failures robots.txt requests in a row that got no answer
 * @param restUntil nothing is asked before then
 */
public record DomainState(
    Optional<Instant> lastStart, Duration crawlDelay, int failures, Instant restUntil) {

  /** A domain nobody has asked yet. */
  public static final DomainState NEW =
      new DomainState(Optional.empty(), Duration.ZERO, 0, Instant.MIN);

  DomainState withLastStart(Instant at) {
    return new DomainState(Optional.of(at), crawlDelay, failures, restUntil);
  }

  DomainState withCrawlDelay(Duration delay) {
    return new DomainState(lastStart, delay, failures, restUntil);
  }

  DomainState withFailures(int count, Instant rest) {
    return new DomainState(lastStart, crawlDelay, count, rest);
  }
}
