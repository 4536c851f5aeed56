package dev.comity.core.policy;

import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.Standing;

/**
 * All that politeness remembers of one domain. It is complete: stored and read back, the crawl goes
 * on as if nothing had happened. Records that say nothing are shared, so a domain that behaves
 * costs little memory.
 */
public record DomainState(
    Standing standing,
    Limits limits,
    Slots slots,
    LearnedDelay learning,
    Failures failures,
    Latency latency,
    Contact heard) {

  /** A domain that was never asked. */
  public static final DomainState FRESH =
      new DomainState(
          Standing.PENDING,
          Limits.NONE,
          Slots.FRESH,
          LearnedDelay.NOTHING,
          Failures.NONE,
          Latency.UNKNOWN,
          Contact.NOTHING);

  public DomainState with(Standing other) {
    return new DomainState(other, limits, slots, learning, failures, latency, heard);
  }

  DomainState with(Limits other) {
    return new DomainState(standing, other, slots, learning, failures, latency, heard);
  }

  DomainState with(Slots other) {
    return same(other, slots)
        ? this
        : new DomainState(standing, limits, other, learning, failures, latency, heard);
  }

  public DomainState with(LearnedDelay other) {
    return same(other, learning)
        ? this
        : new DomainState(standing, limits, slots, other, failures, latency, heard);
  }

  DomainState with(Failures other) {
    return same(other, failures)
        ? this
        : new DomainState(standing, limits, slots, learning, other, latency, heard);
  }

  DomainState with(Latency other) {
    return same(other, latency)
        ? this
        : new DomainState(standing, limits, slots, learning, failures, other, heard);
  }

  DomainState with(Contact other) {
    return same(other, heard)
        ? this
        : new DomainState(standing, limits, slots, learning, failures, latency, other);
  }

  /**
   * A rule that changes nothing hands back what it was given, which is cheaper to see than equal.
   */
  @SuppressWarnings("ReferenceEquality") // Identity is the question here.
  static boolean same(Object one, Object other) {
    return one == other;
  }
}
