package dev.comity.app.monitor;

import dev.comity.core.policy.Turn;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the waits that are worth a line: long ones, and of one domain its delay once and each other
 * reason once in a row. A site that is asked every half minute would otherwise fill the log with
 * it.
 */
final class Deferrals {
  /** A shorter wait is over before a reader wonders. */
  private static final Duration LONG = Duration.ofSeconds(2);

  /** Of the domains at work, those with their delay printed. */
  private final Set<DomainName> paced = ConcurrentHashMap.newKeySet();

  /** Of the domains at work, the last other reason printed. */
  private final Map<DomainName, String> told = new ConcurrentHashMap<>();

  boolean isWorthALine(DomainName domain, Instant until, String why, Instant now) {
    if (Duration.between(now, until).compareTo(LONG) < 0) {
      return false;
    }
    return why.equals(Turn.Why.DELAY.words())
        ? paced.add(domain)
        : !why.equals(told.put(domain, why));
  }

  void ended(DomainName domain) {
    paced.remove(domain);
    told.remove(domain);
  }
}
