package dev.comity.app;

import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the waits that are worth a line: long ones, and of one domain each reason once in a row. A
 * site that is asked every half minute would otherwise fill the log with it.
 */
final class Deferrals {
  private static final Duration LONG = Duration.ofSeconds(10);

  /** Of the domains at work, what was last said of each. */
  private final Map<DomainName, String> told = new ConcurrentHashMap<>();

  boolean isWorthALine(DomainName domain, Instant until, String why, Instant now) {
    return Duration.between(now, until).compareTo(LONG) >= 0 && !why.equals(told.put(domain, why));
  }

  void ended(DomainName domain) {
    told.remove(domain);
  }
}
