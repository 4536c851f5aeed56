package dev.comity.app.metrics;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures the gaps between request starts of one domain, across claims. A start is the moment the
 * first byte left. A domain is forgotten when its next request cannot be too early any more, so
 * memory is bounded by the domains asked lately.
 */
final class Gaps {
  /** Beyond twice its delay a domain is remembered for this long. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private static final int FEW = 4096;

  private final Map<DomainName, Trace> traces = new ConcurrentHashMap<>();
  private volatile int sweepAt = FEW;

  /**
   * @param due what the next request waits for, as it was last said
   */
  private record Trace(Instant started, Duration delay, Instant due) {
    boolean isOver(Instant now) {
      return started.plus(delay).plus(delay).plus(MARGIN).isBefore(now);
    }
  }

  /**
   * A request's distance from what came before it.
   *
   * @param tooSoon whether less than the delay had passed since the start before
   * @param late how long after the end of its wait it started, if it had to wait
   */
  record Gap(boolean tooSoon, Optional<Duration> late) {}

  void waiting(DomainName domain, Instant due) {
    traces.computeIfPresent(domain, (_, last) -> new Trace(last.started(), last.delay(), due));
  }

  Gap started(DomainName domain, Attempt attempt) {
    Instant now = attempt.startedAt();
    Trace last = traces.put(domain, new Trace(now, attempt.delay(), Instant.MAX));
    if (traces.size() > sweepAt) {
      sweep(now);
    }
    if (last == null) {
      return new Gap(false, Optional.empty());
    }
    boolean tooSoon = Duration.between(last.started(), now).compareTo(attempt.delay()) < 0;
    return new Gap(
        tooSoon,
        last.due().isAfter(now)
            ? Optional.empty()
            : Optional.of(Duration.between(last.due(), now)));
  }

  private void sweep(Instant now) {
    traces.values().removeIf(trace -> trace.isOver(now));
    sweepAt = Math.max(FEW, 2 * traces.size());
  }

  /** How many domains are remembered. */
  int size() {
    return traces.size();
  }
}
