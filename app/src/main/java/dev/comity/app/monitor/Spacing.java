package dev.comity.app.monitor;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Measures how far apart the requests to one domain really began, by the moments their first bytes
 * were written.
 */
public final class Spacing implements CrawlListener {
  private final Map<DomainName, Instant> lastStart = new HashMap<>();
  private Optional<Duration> shortest = Optional.empty();

  @Override
  public synchronized void started(DomainName domain, Attempt attempt) {
    Instant before = lastStart.put(domain, attempt.startedAt());
    if (before != null) {
      Duration gap = Duration.between(before, attempt.startedAt());
      shortest = shortest.filter(known -> known.compareTo(gap) <= 0).or(() -> Optional.of(gap));
    }
  }

  public synchronized Optional<Duration> shortest() {
    return shortest;
  }
}
