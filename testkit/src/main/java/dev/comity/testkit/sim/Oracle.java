package dev.comity.testkit.sim;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A client that knows the limit: of all steady paces it keeps the fastest at which one request in a
 * thousand is refused at most. It lives with the same network as the policy does.
 */
final class Oracle {
  private static final int REQUESTS = 4_000;
  private static final double REFUSED = 0.001;

  /** Each step halves what is left of a factor of a thousand: these end at one in a thousand. */
  private static final int STEPS = 13;

  private final Supplier<SimServer> server;
  private final Network network;

  Oracle(Supplier<SimServer> server, Network network) {
    this.server = server;
    this.network = network;
  }

  /** Its delay, not below what is set and not above a thousand times that. */
  Duration delay(Duration base) {
    if (holds(base.toNanos())) {
      return base;
    }
    double refused = (double) base.toNanos();
    double holding = refused * 1_000;
    for (int i = 0; i < STEPS; i++) {
      double middle = Math.sqrt(refused * holding);
      if (holds((long) middle)) {
        holding = middle;
      } else {
        refused = middle;
      }
    }
    return Duration.ofNanos((long) holding);
  }

  private boolean holds(long delay) {
    SplittableRandom random = new SplittableRandom(7);
    SimServer fresh = server.get();
    long[] arrivals = new long[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      arrivals[i] = i * delay + network.oneWay(random);
    }
    Arrays.sort(arrivals);
    int refused = 0;
    // The first half uses up what a burst or a window lends.
    for (int i = 0; i < REQUESTS; i++) {
      boolean no =
          fresh.reply(Duration.ofNanos(arrivals[i]), random).outcome() instanceof RateLimited;
      refused += no && i >= REQUESTS / 2 ? 1 : 0;
    }
    return refused <= REQUESTS / 2 * REFUSED;
  }
}
