package dev.comity.core.policy;

import dev.comity.core.util.Delays;
import dev.comity.core.util.Require;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What others set for a domain: its operator, the sources it serves and its robots.txt files. All
 * of it may change between two requests.
 *
 * @param minimum the longest interval set by the domain or one of its sources; empty for the global
 *     one, zero for none
 * @param crawlDelay the longest Crawl-delay of its live authorities, zero if there is none
 * @param concurrency how many requests may be in flight, where the run says so
 * @param announced the spacing that its last answer announced, zero if it did not
 * @param visitTime the hours at which its robots.txt files allow requests; empty for all
 */
public record Limits(
    Optional<Duration> minimum,
    Duration crawlDelay,
    OptionalInt concurrency,
    Duration announced,
    Optional<VisitTime> visitTime) {

  /** Far beyond what blocks a domain, and near enough to be added to any time. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** Nothing is set. */
  public static final Limits NONE =
      new Limits(Optional.empty(), Duration.ZERO, OptionalInt.empty());

  /** Limits of a domain that announces nothing and may be asked at any hour. */
  public Limits(Optional<Duration> minimum, Duration crawlDelay, OptionalInt concurrency) {
    this(minimum, crawlDelay, concurrency, Duration.ZERO, Optional.empty());
  }

  public Limits {
    announced = announced.compareTo(Delays.LONGEST) > 0 ? Delays.LONGEST : within(announced);
    minimum = minimum.map(Limits::within);
    crawlDelay = within(crawlDelay);
    Require.that(concurrency.orElse(1) >= 1, "concurrency must be at least 1");
  }

  /** These limits with another interval. */
  public Limits withMinimum(Duration interval) {
    return new Limits(Optional.of(interval), crawlDelay, concurrency, announced, visitTime);
  }

  /** These limits with another Crawl-delay. */
  public Limits withCrawlDelay(Duration delay) {
    return new Limits(minimum, delay, concurrency, announced, visitTime);
  }

  /** These limits with another concurrency. */
  public Limits withConcurrency(int requests) {
    return new Limits(minimum, crawlDelay, OptionalInt.of(requests), announced, visitTime);
  }

  /** These limits with what the site announces; never more than ten minutes between requests. */
  Limits withAnnounced(Duration spacing) {
    return announced.equals(spacing)
        ? this
        : new Limits(minimum, crawlDelay, concurrency, spacing, visitTime);
  }

  /** These limits with other hours; none for the whole day. */
  public Limits withVisitTime(Optional<VisitTime> hours) {
    return new Limits(minimum, crawlDelay, concurrency, announced, hours);
  }

  /** These limits, and what a robots.txt asks for beyond them. */
  public Limits stricter(Duration delay, Optional<VisitTime> hours) {
    Optional<VisitTime> both =
        visitTime.isPresent() && hours.isPresent()
            ? Optional.of(visitTime.get().shorter(hours.get()))
            : visitTime.or(() -> hours);
    return withCrawlDelay(Delays.longer(crawlDelay, delay)).withVisitTime(both);
  }

  private static Duration within(Duration delay) {
    return delay.isNegative() ? Duration.ZERO : delay.compareTo(FOREVER) > 0 ? FOREVER : delay;
  }
}
