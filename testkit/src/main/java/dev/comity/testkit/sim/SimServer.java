package dev.comity.testkit.sim;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.FetchOutcome;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** A site as the policy meets it. Times are counted from the start of the simulation. */
public interface SimServer {

  /** What it answers to a request that arrives now. Arrivals come in order. */
  Reply reply(Duration now, RandomGenerator random);

  /** How many requests it would serve in this time to a client that asks at its pace. */
  double allowed(Duration from, Duration to);

  /** The limits that hold in this time, the first one first. A limit that comes back is one. */
  default List<LimitPhase> phases(Duration from, Duration to) {
    return List.of(new LimitPhase(this, to.minus(from)));
  }

  /**
   * A time in which one limit holds.
   *
   * @param limit what refuses in it, without what is refused for no reason
   * @param lasting how long it holds in all
   */
  record LimitPhase(SimServer limit, Duration lasting) {}

  /**
   * An answer.
   *
   * @param think how long it takes to make up its mind, beyond the network's latency
   * @param announced what it says about the pace it wants
   */
  record Reply(FetchOutcome outcome, Duration think, Announced announced) {
    /** An answer that announces nothing. */
    public Reply(FetchOutcome outcome, Duration think) {
      this(outcome, think, Announced.NOTHING);
    }

    /** An answer given at once. */
    public static Reply of(FetchOutcome outcome) {
      return new Reply(outcome, Duration.ZERO);
    }
  }
}
