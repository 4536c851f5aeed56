package dev.comity.testkit.sim;

import dev.comity.core.policy.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of server, with what the policy is expected to make of it.
 *
 * @param minimum the interval the crawl keeps anyway
 * @param judgedAfter when counting begins; before it the policy may learn
 */
public record SimShape(
    String name,
    Supplier<SimServer> server,
    Duration minimum,
    Limits limits,
    int domains,
    Duration length,
    Duration judgedAfter) {

  private static final Duration FAST = Duration.ofMillis(200);
  private static final Duration USUAL = Duration.ofSeconds(1);

  static SimShape of(String name, Duration minimum, Supplier<SimServer> server) {
    return new SimShape(
        name, server, minimum, Limits.NONE, 1, Duration.ofDays(1), Duration.ofHours(12));
  }

  private static SimShape onePer(double seconds, double jitter, boolean refusedCount) {
    Duration interval = Duration.ofMillis(Math.round(seconds * 1000));
    String name =
        "one per "
            + seconds
            + " s"
            + (jitter > 0 ? ", +-" + Math.round(jitter * 100) + " %" : "")
            + (refusedCount ? ", refused count" : "");
    return of(
        name, seconds <= 1.5 ? FAST : USUAL, () -> new OnePer(interval, jitter, refusedCount));
  }

  /** The bucket, alone. */
  public static SimShape bucket() {
    return of("bucket 2/s, burst 1", FAST, () -> new LeakyBucket(2, 1));
  }

  /** Eight domains behind one bucket. */
  public static SimShape sharedBucket() {
    return new SimShape(
        "8 domains, one bucket",
        () -> new LeakyBucket(2, 1),
        FAST,
        Limits.NONE,
        8,
        Duration.ofDays(1),
        Duration.ofHours(12));
  }

  /** One request in so many seconds, measured exactly or not. */
  public static List<SimShape> intervals() {
    return List.of(
        onePer(0.3, 0, false),
        onePer(0.3, 0.1, false),
        onePer(0.7, 0.1, false),
        onePer(1.5, 0.1, false),
        onePer(1.5, 0.1, true),
        onePer(3, 0.1, false),
        onePer(5, 0, true),
        onePer(5, 0.1, true),
        onePer(20, 0, false),
        onePer(20, 0.1, true));
  }

  /** Quotas by the clock. */
  public static List<SimShape> windows() {
    return List.of(
        of("60 a minute", FAST, () -> new FixedWindow(60, Duration.ofMinutes(1), false)),
        of("60 a minute, says when", FAST, () -> new FixedWindow(60, Duration.ofMinutes(1), true)),
        of("1,000 an hour", USUAL, () -> new FixedWindow(1000, Duration.ofHours(1), false)),
        of(
            "1,000 an hour, says when",
            USUAL,
            () -> new FixedWindow(1000, Duration.ofHours(1), true)));
  }

  /** A limit of 2 s by day and 0.5 s by night. */
  public static SimShape night() {
    return new SimShape(
        "2 s by day, 0.5 s by night",
        () ->
            new ByHour(
                new OnePer(Duration.ofSeconds(2), 0, false),
                new OnePer(Duration.ofMillis(500), 0, false)),
        FAST,
        Limits.NONE,
        1,
        Duration.ofDays(3),
        Duration.ofDays(2));
  }

  /** Refusals for no reason, so often. */
  public static SimShape noise(double share) {
    return of(
        share * 100 + " % random 429",
        USUAL,
        () -> new Moody(share, Replies.TOO_FAST, Steady.serving()));
  }

  /** Refuses for no reason and always says the same time, as a number or as a date. */
  public static List<SimShape> sayingSixty() {
    Duration minute = Duration.ofMinutes(1);
    return List.of(
        of(
            "0.3 % random 429, 60 s",
            USUAL, () -> new Moody(0.003, Replies.tooFast(minute), Steady.serving())),
        of(
            "one per 3 s, 429 says a date",
            USUAL,
            () -> new Saying(new OnePer(Duration.ofSeconds(3), 0, false), minute)));
  }

  /** Servers that fail in other ways than by refusing. */
  public static List<SimShape> unwell() {
    return List.of(
        of(
            "500s for 10 min every 6 h",
            USUAL,
            () ->
                new Failing(
                    Duration.ofHours(6), Duration.ofMinutes(10), Replies.BROKEN, Steady.serving())),
        of(
            "down 5 s every minute",
            USUAL,
            () ->
                new Failing(
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(5),
                    Replies.BROKEN,
                    Steady.serving())),
        of(
            "slow: 4 s a page",
            USUAL,
            () -> new Steady(new SimServer.Reply(Replies.PAGE.outcome(), Duration.ofSeconds(4)))),
        of("dead", USUAL, () -> new Steady(Replies.SILENCE)),
        new SimShape(
            "Crawl-delay 3",
            Steady::serving,
            USUAL,
            Limits.NONE.withCrawlDelay(Duration.ofSeconds(3)),
            1,
            Duration.ofDays(1),
            Duration.ofHours(12)));
  }

  /** The longest interval that is set for it. */
  Duration base() {
    return Optional.of(limits.crawlDelay())
        .filter(delay -> delay.compareTo(minimum) > 0)
        .orElse(minimum);
  }
}
