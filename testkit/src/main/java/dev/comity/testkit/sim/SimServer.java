package dev.comity.testkit.sim;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.FetchOutcome;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** A site as the policy meets it. Times are counted from the start of the simulation. */
public interface SimServer {

  /** What it answers to a request that arrives now. Arrivals come in order. */
  Reply reply(Duration now, RandomGenerator random);

  /** How many requests it would serve in this time to a client that asks at its pace. */
  double allowed(Duration from, Duration to);

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
