package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Domains at one address: behind one limit, or each behind its own. */
public final class SimNeighbours {
  private static final Duration FAST = Duration.ofMillis(200);
  private static final Duration USUAL = Duration.ofSeconds(1);

  private SimNeighbours() {}

  /** Domains whose sum is limited. */
  public static List<SimShape> sharing() {
    return List.of(
        sharing("8 domains, one bucket", 8, () -> new LeakyBucket(2, 1)),
        sharing("8 domains, one bucket, burst 20", 8, () -> new LeakyBucket(2, 20)),
        sharing("3 domains, one bucket", 3, () -> new LeakyBucket(2, 1)),
        sharing("8 domains, one per 1.5 s", 8, () -> new OnePer(Duration.ofMillis(1500), 0, false)),
        sharing(
            "8 domains, 60 a minute", 8, () -> new FixedWindow(60, Duration.ofMinutes(1), false)));
  }

  /** Domains with a limit each; what they lose by the rule is seen beside {@link #unknown}. */
  public static List<SimShape> apart() {
    return List.of(
        apart("8 buckets 2/s, burst 5", FAST, _ -> new LeakyBucket(2, 5)),
        apart("8 buckets 0.5 ... 4/s, burst 5", FAST, i -> new LeakyBucket(0.5 * (i + 1), 5)),
        apart("8 times one per 0.7 s", FAST, _ -> new OnePer(Duration.ofMillis(700), 0, false)),
        apart(
            "8 times one per 0.7 s, +-10 %",
            FAST, _ -> new OnePer(Duration.ofMillis(700), 0.1, false)),
        apart(
            "4 buckets 2/s, 4 without limit",
            FAST,
            i -> i < 4 ? new LeakyBucket(2, 5) : Steady.serving()),
        apart("8 times 60 a minute", FAST, _ -> new FixedWindow(60, Duration.ofMinutes(1), false)),
        apart(
            "8 times 1 % random 429",
            USUAL, _ -> new Moody(0.01, SimReplies.TOO_FAST, Steady.serving())),
        apart(
            "8 times 5 % random 429",
            USUAL, _ -> new Moody(0.05, SimReplies.TOO_FAST, Steady.serving())));
  }

  /** The same shape, and the crawl does not know that the domains are neighbours. */
  public static SimShape unknown(SimShape shape) {
    return SimShape.ofCrowd(
            shape.name() + ", unknown", shape.minimum(), shape.server(), shape.crowd().unknown())
        .behind(shape.network());
  }

  private static SimShape sharing(String name, int domains, Supplier<SimServer> limit) {
    return SimShape.ofCrowd(name, FAST, limit, SimCrowd.sharing(domains));
  }

  private static SimShape apart(String name, Duration minimum, IntFunction<SimServer> limit) {
    return SimShape.ofCrowd(name, minimum, () -> limit.apply(0), SimCrowd.apart(8, limit));
  }
}
