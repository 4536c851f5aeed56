package dev.comity.core.policy;

import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The effective delay and the rule that sets it. */
public record Pace(Duration effective, Rule rule) {

  /**
   * For each time that a delay is so much longer than it must be, one request less is in flight.
   */
  private static final Duration CONCURRENCY_STEP = Duration.ofSeconds(5);

  /** What can set a domain's delay. Of two that agree the earlier one is named. */
  public enum Rule {
    NONE("no delay is set"),
    MINIMUM("the minimum interval"),
    CRAWL_DELAY("the delay that its robots.txt asks for"),
    ANNOUNCED("the limit that its answers announce"),
    LEARNED("what its refusals taught"),
    PROBE("a shorter delay being tried"),
    LATENCY("how slowly it answers");

    private final String words;

    Rule(String words) {
      this.words = words;
    }

    /** The rule in words. */
    public String words() {
      return words;
    }
  }

  static Duration minimum(Limits limits, PaceSettings settings) {
    return limits.minimum().isPresent() ? limits.minimum().get() : settings.minimum();
  }

  /** What is set, before anything was learned. */
  static Duration base(DomainState state, PolicySettings settings) {
    Duration minimum = minimum(state.limits(), settings.pace());
    Duration crawlDelay = state.limits().crawlDelay();
    return crawlDelay.compareTo(minimum) > 0 ? crawlDelay : minimum;
  }

  static Duration byLatency(DomainState state, PaceSettings settings) {
    return settings.latencyFactor() == 0
        ? Duration.ZERO
        : Duration.ofMillis(
            (long) (state.latency().average().toNanos() * settings.latencyFactor() / 1_000_000));
  }

  static Duration effective(DomainState state, PolicySettings settings) {
    Duration announced = state.limits().announced();
    Duration paced = Delays.longer(state.learning().pace(base(state, settings)), announced);
    if (settings.pace().latencyFactor() == 0) {
      return paced;
    }
    Duration slow = byLatency(state, settings.pace());
    return slow.compareTo(paced) > 0 ? slow : paced;
  }

  /** When the next request may start; what is under way is not looked at. */
  static Instant next(DomainState state, PolicySettings settings) {
    return opensAt(state, state.slots().next(effective(state, settings)));
  }

  /** The first moment from this one on that lies within the visit time. */
  static Instant opensAt(DomainState state, Instant at) {
    Optional<VisitTime> hours = state.limits().visitTime();
    return hours.isPresent() ? hours.get().opensAt(at) : at;
  }

  static Pace of(DomainState state, PolicySettings settings) {
    Duration effective = effective(state, settings);
    return new Pace(effective, rule(state, settings, effective));
  }

  private static Rule rule(DomainState state, PolicySettings settings, Duration effective) {
    if (effective.isZero()) {
      return Rule.NONE;
    }
    if (effective.equals(minimum(state.limits(), settings.pace()))) {
      return Rule.MINIMUM;
    }
    if (effective.equals(state.limits().crawlDelay())) {
      return Rule.CRAWL_DELAY;
    }
    if (effective.equals(state.limits().announced())) {
      return Rule.ANNOUNCED;
    }
    if (effective.equals(state.learning().learned())) {
      return state.learning().probe().isPresent() ? Rule.PROBE : Rule.LEARNED;
    }
    return Rule.LATENCY;
  }

  /**
   * How many requests may be in flight: fewer the more slowly a domain has to be asked, one while
   * it refuses. One, too, from the second failure of a streak: five at a time would cost a dead
   * site 25 requests before it is closed, and the job would have failed before that.
   */
  static int concurrency(DomainState state, PolicySettings settings) {
    boolean ailing =
        state.learning().incident().isPresent() || state.failures().streak().size() > 1;
    return ailing ? 1 : unhurried(state, settings);
  }

  private static int unhurried(DomainState state, PolicySettings settings) {
    int limit = state.limits().concurrency().orElse(settings.pace().concurrency());
    Duration over = effective(state, settings).minus(base(state, settings));
    if (over.compareTo(CONCURRENCY_STEP) < 0) {
      return limit;
    }
    return Math.max(1, limit - (int) over.dividedBy(CONCURRENCY_STEP));
  }
}
