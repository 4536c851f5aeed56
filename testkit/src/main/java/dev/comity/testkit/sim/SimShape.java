package dev.comity.testkit.sim;

import dev.comity.core.policy.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A kind of server, with what the policy is expected to make of it.
 *
 * @param minimum the interval the crawl keeps anyway
 * @param crowd how many domains there are, and what they have in common
 * @param judgedAfter when counting begins; before it the policy may learn
 * @param network the way to it
 */
public record SimShape(
    String name,
    Supplier<SimServer> server,
    Duration minimum,
    Limits limits,
    SimCrowd crowd,
    Duration length,
    Duration judgedAfter,
    Network network) {

  private static final Duration FASTEST = Duration.ofMillis(50);
  private static final Duration FAST = Duration.ofMillis(200);
  private static final Duration USUAL = Duration.ofSeconds(1);

  private static SimShape of(String name, Duration minimum, Supplier<SimServer> server) {
    return new SimShape(
        name,
        server,
        minimum,
        Limits.NONE,
        SimCrowd.ALONE,
        Duration.ofDays(1),
        Duration.ofHours(12),
        Network.STEADY);
  }

  /** This shape for another time, judged from some point on. */
  SimShape lasting(Duration time, Duration from) {
    return new SimShape(name, server, minimum, limits, crowd, time, from, network);
  }

  /** This shape behind another network. */
  public SimShape behind(Network other) {
    return new SimShape(name, server, minimum, limits, crowd, length, judgedAfter, other);
  }

  /** This shape for several domains. */
  SimShape among(SimCrowd others) {
    return new SimShape(name, server, minimum, limits, others, length, judgedAfter, network);
  }

  /** A shape of several domains. */
  static SimShape ofCrowd(
      String name, Duration minimum, Supplier<SimServer> server, SimCrowd crowd) {
    return of(name, minimum, server).among(crowd);
  }

  private SimShape limited(Limits other) {
    return new SimShape(name, server, minimum, other, crowd, length, judgedAfter, network);
  }

  private static SimShape onePer(double seconds, double jitter, boolean refusedCount) {
    Duration interval = Duration.ofMillis(Math.round(seconds * 1000));
    String name =
        "one per "
            + (seconds == Math.rint(seconds)
                ? Long.toString((long) seconds)
                : Double.toString(seconds))
            + " s"
            + (jitter > 0 ? ", +-" + Math.round(jitter * 100) + " %" : "")
            + (refusedCount ? ", refused count" : "");
    return of(
        name, seconds <= 1.5 ? FAST : USUAL, () -> new OnePer(interval, jitter, refusedCount));
  }

  private static SimShape bucket(double perSecond, int burst, boolean refusedCount) {
    String rate =
        perSecond == Math.rint(perSecond)
            ? Long.toString((long) perSecond)
            : Double.toString(perSecond);
    Duration minimum = perSecond > 5 ? FASTEST : perSecond >= 1 ? FAST : USUAL;
    return of(
        "bucket " + rate + "/s, burst " + burst + (refusedCount ? ", refused count" : ""),
        perSecond == 5 ? FASTEST : minimum,
        () -> new LeakyBucket(perSecond, burst, refusedCount));
  }

  private static SimShape window(int requests, Duration window, String name, boolean saysWhen) {
    return of(
        name + (saysWhen ? ", says when" : ""),
        window.compareTo(Duration.ofMinutes(5)) > 0 ? USUAL : FAST,
        () -> new FixedWindow(requests, window, saysWhen));
  }

  /** The bucket, alone. */
  public static SimShape bucket() {
    return bucket(2, 1, false);
  }

  /** Steady rates with more or less room. */
  public static List<SimShape> buckets() {
    return List.of(
        bucket(),
        bucket(2, 2, false),
        bucket(2, 5, false),
        bucket(2, 10, false),
        bucket(2, 20, false),
        bucket(2, 50, false),
        bucket(5, 10, false),
        bucket(10, 2, false),
        bucket(1, 0, false),
        bucket(0.2, 1, false),
        bucket(2, 5, true),
        bucket(1, 0, true));
  }

  /** One request in so many seconds, measured exactly or not. */
  public static List<SimShape> intervals() {
    return List.of(
        onePer(0.3, 0, false),
        onePer(0.3, 0.1, false),
        onePer(0.7, 0, false),
        onePer(0.7, 0.1, false),
        onePer(1.5, 0.1, false),
        onePer(1.5, 0.1, true),
        onePer(3, 0, false),
        onePer(3, 0.1, false),
        onePer(5, 0, true),
        onePer(5, 0.1, true),
        onePer(20, 0, false),
        onePer(20, 0.1, true));
  }

  /** Limits of sites without a robots.txt: the first answer came out of the bucket too. */
  public static List<SimShape> withoutRobots() {
    return Stream.of(
            bucket(2, 1, false),
            bucket(2, 5, false),
            bucket(5, 10, false),
            bucket(10, 2, false),
            bucket(1, 0, false),
            onePer(0.7, 0, false),
            onePer(3, 0.1, false),
            onePer(90, 0, false))
        .map(
            it -> of(it.name + ", no robots", it.minimum, () -> new MissingRobots(it.server.get())))
        .toList();
  }

  /** Limits longer than the cap of a minute. */
  public static List<SimShape> longIntervals() {
    return List.of(
        onePer(65, 0, false), onePer(90, 0, false), onePer(90, 0, true), onePer(300, 0, false));
  }

  /** Quotas of a few minutes by the clock. */
  public static List<SimShape> shortWindows() {
    return List.of(
        window(60, Duration.ofMinutes(1), "60 a minute", false),
        window(60, Duration.ofMinutes(1), "60 a minute", true),
        window(100, Duration.ofMinutes(5), "100 in 5 min", false),
        window(100, Duration.ofMinutes(5), "100 in 5 min", true));
  }

  /** Quotas of an hour. */
  public static List<SimShape> hours() {
    return List.of(
        window(100, Duration.ofHours(1), "100 an hour", false),
        window(100, Duration.ofHours(1), "100 an hour", true),
        window(300, Duration.ofHours(1), "300 an hour", false),
        window(300, Duration.ofHours(1), "300 an hour", true),
        window(1000, Duration.ofHours(1), "1,000 an hour", false),
        window(1000, Duration.ofHours(1), "1,000 an hour", true));
  }

  /** Quotas of a day. */
  public static List<SimShape> days() {
    return List.of(
        window(100, Duration.ofDays(1), "100 a day", false)
            .lasting(Duration.ofDays(7), Duration.ofHours(84)),
        window(100, Duration.ofDays(1), "100 a day", true)
            .lasting(Duration.ofDays(7), Duration.ofHours(84)));
  }

  /** Quotas that every answer announces. */
  public static List<SimShape> announced() {
    return List.of(
        of("60 a minute, announced", FAST, () -> new Announcing(60, Duration.ofMinutes(1))),
        of("1,000 an hour, announced", USUAL, () -> new Announcing(1000, Duration.ofHours(1))));
  }

  /** A limit of 2 s by day and 0.5 s by night. */
  public static SimShape night() {
    return of(
            "2 s by day, 0.5 s by night",
            FAST,
            () ->
                new ByHour(
                    new OnePer(Duration.ofSeconds(2), 0, false),
                    new OnePer(Duration.ofMillis(500), 0, false)))
        .lasting(Duration.ofDays(3), Duration.ofDays(2));
  }

  /** Limits that are not what they were after half the time. */
  public static List<SimShape> changes() {
    Duration noon = Duration.ofHours(12);
    return List.of(
        of(
            "1/s, 2/s from noon",
            FAST,
            () -> new Changing(new LeakyBucket(1, 5), noon, new LeakyBucket(2, 5))),
        of(
            "1/s, no limit from noon",
            FAST,
            () -> new Changing(new LeakyBucket(1, 5), noon, Steady.serving())),
        of(
            "2/s, 0.5/s from noon",
            FAST,
            () -> new Changing(new LeakyBucket(2, 5), noon, new LeakyBucket(0.5, 5))));
  }

  /** Refusals for no reason, so often. */
  public static SimShape noise(double share) {
    return of(
        share * 100 + " % random 429",
        USUAL,
        () -> new Moody(share, SimReplies.TOO_FAST, Steady.serving()));
  }

  /** Refusals for no reason, rare and often. */
  public static List<SimShape> noises() {
    return List.of(noise(0.003), noise(0.01), noise(0.03), noise(0.05));
  }

  /** Refusals for no reason on top of a limit. */
  public static List<SimShape> noisyLimits() {
    return List.of(
        of(
            "bucket 2/s, burst 5, 1 % noise",
            FAST, () -> new Moody(0.01, SimReplies.TOO_FAST, new LeakyBucket(2, 5))),
        of(
            "one per 1.5 s, 3 % noise",
            FAST,
            () ->
                new Moody(
                    0.03, SimReplies.TOO_FAST, new OnePer(Duration.ofMillis(1500), 0, false))));
  }

  /** Servers that ban a client for a while after too many refusals. */
  public static List<SimShape> bans() {
    return List.of(
        of(
            "bucket 2/s, burst 5, ban after 3",
            FAST,
            () -> new Banning(new LeakyBucket(2, 5), 3, Duration.ofMinutes(10))),
        of(
            "one per 1.5 s, ban after 3",
            FAST,
            () ->
                new Banning(
                    new OnePer(Duration.ofMillis(1500), 0, false), 3, Duration.ofMinutes(10))));
  }

  /** Refuses for no reason and always says the same time, as a number or as a date. */
  public static List<SimShape> sayingSixty() {
    Duration minute = Duration.ofMinutes(1);
    return List.of(
        of(
            "0.3 % random 429, 60 s",
            USUAL, () -> new Moody(0.003, SimReplies.tooFast(minute), Steady.serving())),
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
                    Duration.ofHours(6),
                    Duration.ofMinutes(10),
                    SimReplies.BROKEN,
                    Steady.serving())),
        of(
            "down 5 s every minute",
            USUAL,
            () ->
                new Failing(
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(5),
                    SimReplies.BROKEN,
                    Steady.serving())),
        of(
            "slow: 4 s a page",
            USUAL,
            () ->
                new Steady(new SimServer.Reply(SimReplies.PAGE.outcome(), Duration.ofSeconds(4)))),
        of("dead", USUAL, () -> new Steady(SimReplies.SILENCE)),
        of("Crawl-delay 3", USUAL, Steady::serving)
            .limited(Limits.NONE.withCrawlDelay(Duration.ofSeconds(3))));
  }

  /**
   * The clients that know its limits: one for each domain that has a limit of its own, or one in
   * the place of all that share one. That one may ask whenever any of them might.
   */
  List<Oracle> oracles() {
    if (crowd.apart().isEmpty()) {
      return List.of(new Oracle(server, base().dividedBy(crowd.domains()), network));
    }
    IntFunction<SimServer> limit = crowd.apart().get();
    return IntStream.range(0, crowd.domains())
        .mapToObj(i -> new Oracle(() -> limit.apply(i), base(), network))
        .toList();
  }

  /** The longest interval that is set for it. */
  Duration base() {
    return Optional.of(limits.crawlDelay())
        .filter(delay -> delay.compareTo(minimum) > 0)
        .orElse(minimum);
  }
}
