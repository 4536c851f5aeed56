package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import dev.comity.core.policy.Learning.Recheck;
import dev.comity.core.policy.Learning.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A {@link Learning} while a rule changes it. It never leaves the call that made it, so the rules
 * can be read as what they do and the state stays immutable.
 */
final class LearningDraft {
  Duration learned;
  Optional<Duration> refused;
  Optional<Duration> floor;
  Optional<Duration> cameFrom;
  Optional<Duration> suspect;
  int row;
  int savings;
  Optional<Probe> probe;
  Optional<Incident> incident;
  Instant lastRefusal;
  Recheck recheck;

  LearningDraft(Learning was) {
    learned = was.learned();
    refused = was.refused();
    floor = was.floor();
    cameFrom = was.cameFrom();
    suspect = was.suspect();
    row = was.row();
    savings = was.savings();
    probe = was.probe();
    incident = was.incident();
    lastRefusal = was.lastRefusal();
    recheck = was.recheck();
  }

  Learning done() {
    return new Learning(
        learned,
        refused,
        floor,
        cameFrom,
        suspect,
        row,
        savings,
        probe,
        incident,
        lastRefusal,
        recheck);
  }

  Duration pace(Duration base) {
    return learned.compareTo(base) > 0 ? learned : base;
  }

  /** Opens an incident at whose end the learned delay becomes what was taught. */
  void open(Duration delay, Duration taught, Verdict verdict, Instant now) {
    incident = Optional.of(new Incident(1, delay, taught, verdict, now));
  }

  /** Changes the verdict of the open incident. */
  void judge(Duration taught, Verdict verdict) {
    Incident so = incident.orElseThrow();
    incident = Optional.of(new Incident(so.refusals(), so.delay(), taught, verdict, so.openedAt()));
  }

  /** Moves the opening of the incident, if there is one, to a time that has been. */
  void openedNotAfter(Instant now) {
    if (incident.isPresent() && incident.get().openedAt().isAfter(now)) {
      Incident so = incident.get();
      incident =
          Optional.of(new Incident(so.refusals(), so.delay(), so.taught(), so.verdict(), now));
    }
  }

  /** Tries another delay; nothing is known about it yet. */
  void begin(Duration target, boolean retry, int savedForIt) {
    probe = Optional.of(new Probe(learned, savings, retry));
    learned = target;
    row = 0;
    savings = savedForIt;
  }

  /** Goes back to where the probe came from, which has lost nothing by it. */
  void leaveProbe() {
    Probe was = probe.orElseThrow();
    probe = Optional.empty();
    learned = was.from();
    row = 0;
    savings = was.savedBefore();
  }
}
