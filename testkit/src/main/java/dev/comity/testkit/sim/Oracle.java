package dev.comity.testkit.sim;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A client that knows the limit: of all steady paces it keeps the fastest at which one request in a
 * thousand is refused at most. It lives with the same network as the policy does.
 *
 * <p>The network is why it cannot keep the limit itself. Two requests that leave a gap apart arrive
 * closer together when the first was carried more slowly. With a jitter of 15 ms that difference
 * has a deviation of 15 √2 = 21 ms, and one in a thousand is beyond 3.1 of these. So a gap of 0.5 s
 * is kept with 0.566 s, or 88 % of it, while a bucket with any burst evens the jitter out. The pace
 * is not calculated so but found by halves: each candidate sends 40,000 requests through the
 * network to a fresh server.
 *
 * <p>A limit that changes has {@linkplain SimServer#phases phases}. The client knows when each
 * begins, and keeps the pace of each. Domains that share a limit have one such client together,
 * because only the sum counts; those with a limit each have one each. Noise is left out: the client
 * keeps the pace of the limit beneath it, and its refusals are not taken from what it is served.
 *
 * <p>Some rows of the table allow one refusal in two hundred, and these would buy a shorter delay.
 * But a crawler rests two seconds after each. With these rests no pace that a row allows is served
 * half a percent more than this one ({@code OracleSimulation} tries them). So one in a thousand
 * holds for every shape.
 */
final class Oracle {
  /** Twenty refusals of the second half are the limit; by chance they are 15 to 25. */
  private static final int REQUESTS = 40_000;

  private static final double REFUSED = 0.001;

  /** Each step halves what is left of a factor of a thousand: these end at one in a thousand. */
  private static final int STEPS = 13;

  private final Supplier<SimServer> server;
  private final Duration base;
  private final Network network;
  private final Map<List<Duration>, List<Kept>> known = new HashMap<>();

  /**
   * A pace that is kept for some time.
   *
   * @param allowed what the server would serve in this time at most
   */
  record Kept(Duration delay, Duration lasting, double allowed) {
    double served() {
      return Math.min(allowed, (double) lasting.toNanos() / delay.toNanos());
    }
  }

  /**
   * A client of this server.
   *
   * @param server a fresh one each time
   * @param base the shortest delay that it may keep
   */
  Oracle(Supplier<SimServer> server, Duration base, Network network) {
    this.server = server;
    this.base = base;
    this.network = network;
  }

  /** How many requests it is served in this time. */
  double served(Duration from, Duration to) {
    return keeps(from, to).stream().mapToDouble(Kept::served).sum();
  }

  /** Its delay when all begins. */
  Duration first() {
    return keeps(Duration.ZERO, Duration.ofHours(1)).getFirst().delay();
  }

  /** What it keeps in this time, the first delay first. */
  List<Kept> keeps(Duration from, Duration to) {
    return known.computeIfAbsent(List.of(from, to), _ -> find(from, to));
  }

  private List<Kept> find(Duration from, Duration to) {
    List<SimServer.LimitPhase> phases = server.get().phases(from, to);
    List<Kept> kept = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      int index = i;
      Duration lasting = phases.get(i).lasting();
      Duration delay = delay(() -> server.get().phases(from, to).get(index).limit());
      kept.add(new Kept(delay, lasting, phases.get(i).limit().allowed(Duration.ZERO, lasting)));
    }
    return List.copyOf(kept);
  }

  /** Its delay, not below what is set and not above a thousand times that. */
  private Duration delay(Supplier<SimServer> limit) {
    if (holds(limit.get(), base.toNanos())) {
      return base;
    }
    double refused = (double) base.toNanos();
    double holding = refused * 1_000;
    for (int i = 0; i < STEPS; i++) {
      double middle = Math.sqrt(refused * holding);
      if (holds(limit.get(), (long) middle)) {
        holding = middle;
      } else {
        refused = middle;
      }
    }
    return Duration.ofNanos((long) holding);
  }

  private boolean holds(SimServer fresh, long delay) {
    SplittableRandom random = new SplittableRandom(7);
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
