package dev.comity.core.policy.support;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/** A site with a limit, asked by a {@link Script} whenever the policy lets it. */
public final class LimitedSite {
  public final Script script;
  private final Predicate<Instant> allows;
  private Duration retryAfter = Duration.ZERO;
  public int refusals;
  public int served;

  public LimitedSite(double minimum, Predicate<Instant> allows) {
    PolicySettings settings = PolicySettings.DEFAULTS;
    script = new Script(settings.with(settings.pace().withMinimum(Script.seconds(minimum))));
    this.allows = allows;
  }

  public LimitedSite saying(Duration time) {
    retryAfter = time;
    return this;
  }

  /** A bucket as nginx keeps it. */
  public static Predicate<Instant> bucket(double perSecond, double burst) {
    return new Predicate<>() {
      private double excess;
      private Instant last = Script.START;

      @Override
      public boolean test(Instant now) {
        double drained =
            Math.max(0, excess - Duration.between(last, now).toNanos() / 1e9 * perSecond);
        if (drained > burst) {
          return false;
        }
        excess = drained + 1;
        last = now;
        return true;
      }
    };
  }

  /** So many in each window of the clock. */
  public static Predicate<Instant> window(int quota, Duration length) {
    return new Predicate<>() {
      private long current = -1;
      private int used;

      @Override
      public boolean test(Instant now) {
        long index = Duration.between(Script.START, now).dividedBy(length);
        used = index == current ? used : 0;
        current = index;
        return used++ < quota;
      }
    };
  }

  /** One in so long. */
  public static Predicate<Instant> onePer(Duration interval) {
    return new Predicate<>() {
      private Instant last = Script.START.minus(Duration.ofDays(1));

      @Override
      public boolean test(Instant now) {
        boolean allowed = !now.isBefore(last.plus(interval));
        last = allowed ? now : last;
        return allowed;
      }
    };
  }

  /** One request; whether it was served. */
  public boolean ask() {
    Attempt attempt = script.start();
    boolean allowed = allows.test(attempt.startedAt());
    script.now = script.now.plus(Script.LATENCY);
    script.answer(
        attempt,
        allowed ? Script.OK : retryAfter.isZero() ? Script.REFUSED : Script.refusedFor(retryAfter));
    served += allowed ? 1 : 0;
    refusals += allowed ? 0 : 1;
    return allowed;
  }

  public LimitedSite untilServed(int requests) {
    int end = served + requests;
    while (served < end) {
      ask();
    }
    return this;
  }

  public LimitedSite untilRefused(int times) {
    int end = refusals + times;
    while (refusals < end) {
      ask();
    }
    while (!ask()) {}
    return this;
  }

  public LearnedDelay learning() {
    return script.state.learning();
  }

  public double floor() {
    return Delays.millis(learning().floor().orElseThrow()) / 1000;
  }
}
