package dev.comity.core.policy.learning;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.policy.learning.Evidence.Shown;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A {@link LearnedDelay} while a rule changes it. It never leaves the call that made it, so the
 * rules can be read as what they do and the state stays immutable.
 */
public final class LearningDraft {
  private final Shown shown;
  public Duration learned;
  Optional<Duration> refused;
  Optional<Duration> floor;
  int row;
  Optional<Probe> probe;
  Optional<Incident> incident;
  public Instant lastRefusal;
  public Instant emptyAt;
  public Instant openSince;
  public int served;
  int tries;
  int searched;
  int spent;
  int burst;
  Duration burstDelay;
  int strides;
  int cost;
  int patience;
  boolean guessed;
  int lasted;
  Duration atMost;
  int against;
  Optional<Closure> closure;
  public Noise noise;

  public LearningDraft(LearnedDelay was) {
    learned = was.learned();
    refused = was.refused();
    floor = was.floor();
    row = was.row();
    probe = was.probe();
    incident = was.incident();
    lastRefusal = was.lastRefusal();
    Evidence evidence = was.evidence();
    emptyAt = evidence.emptyAt();
    openSince = evidence.openSince();
    served = evidence.served();
    shown = evidence.shown();
    tries = shown.tries();
    searched = shown.searched();
    spent = shown.spent();
    burst = shown.burst();
    burstDelay = shown.burstDelay();
    strides = shown.strides();
    cost = shown.cost();
    patience = shown.patience();
    guessed = shown.guessed();
    lasted = shown.lasted();
    atMost = shown.atMost();
    against = shown.against();
    closure = shown.closure();
    noise = shown.noise();
  }

  public LearnedDelay done() {
    return new LearnedDelay(
        learned,
        refused,
        floor,
        row,
        probe,
        incident,
        lastRefusal,
        new Evidence(emptyAt, openSince, served, shown()));
  }

  /** Mostly nothing was shown that was not known. */
  private Shown shown() {
    Shown now =
        new Shown(
            tries,
            searched,
            spent,
            burst,
            burstDelay,
            strides,
            cost,
            patience,
            guessed,
            lasted,
            atMost,
            against,
            closure,
            noise);
    return now.equals(shown) ? shown : now;
  }

  Duration pace(Duration base) {
    return Delays.longer(learned, base);
  }

  /** Opens an incident. At its end the learned delay becomes what was taught, unless more is. */
  void open(Attempt attempt, Duration taught) {
    incident =
        Optional.of(
            new Incident(
                1,
                attempt.delay(),
                taught,
                emptyAt,
                openSince,
                served,
                attempt.startedAt(),
                Duration.ZERO));
    emptyAt = attempt.startedAt();
    served = 0;
  }

  /** Changes what the open incident teaches. */
  void teach(Duration taught) {
    incident = Optional.of(incident.orElseThrow().teaching(taught));
  }

  /** Tries another delay; nothing is known about it yet. */
  public void begin(Duration target, Probe trial) {
    probe = Optional.of(trial);
    learned = target;
    row = 0;
  }

  /** Goes back to where the probe came from; what it was allowed to be refused ends with it. */
  void leaveProbe() {
    learned = probe.orElseThrow().from();
    probe = Optional.empty();
    noise = noise.full();
    row = 0;
  }

  /** A delay is too short, whatever was thought before. */
  void refuse(Duration delay) {
    if (refused.isEmpty() || refused.get().compareTo(delay) < 0) {
      refused = Optional.of(delay);
    }
  }

  /** How many more than this delay allows were once served in a row. */
  double drawn(double enough) {
    return burst * Math.max(0, 1 - Delays.millis(burstDelay) / enough);
  }

  /** Another share of refusals is counted from here. */
  void forgetCounts() {
    tries = 0;
    searched = 0;
    atMost = Duration.ZERO;
    against = 0;
  }

  /** Another search begins. */
  void forgetSearch() {
    forgetCounts();
    spent = 0;
    patience = 0;
    strides = 0;
  }

  /** What is refused is shorter than what is long enough, however the delays were cut off. */
  void keepOrder() {
    Duration enough = floor.isPresent() ? floor.get() : learned;
    Duration most = probe.isEmpty() && learned.compareTo(enough) < 0 ? learned : enough;
    if (refused.isPresent() && refused.get().compareTo(most) >= 0) {
      refused = Optional.of(most.minusMillis(1)).filter(Duration::isPositive);
    }
  }
}
