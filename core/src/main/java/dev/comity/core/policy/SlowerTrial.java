package dev.comity.core.policy;

import static dev.comity.core.policy.Delays.longer;
import static dev.comity.core.policy.Delays.millis;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells noise from a limit by comparing how often two delays are refused.
 *
 * <p>A search for a limit ends after a few refusals, farther and farther apart. One that does not
 * is aimless: perhaps there is no limit to be found. Then a delay twice as long is tried. No limit
 * that let the shorter one serve as much as it did refuses the longer one; noise refuses both
 * alike. So both are compared by refusals per request, after both have drawn more than any burst
 * seen.
 */
final class SlowerTrial {
  /** How much longer: no limit is that far from what it has served. */
  private static final double SLOWER = 2;

  /** A search that converges takes three or four; two more are chance, six are none. */
  private static final int AIMLESS = 6;

  /** Refusals this many times farther apart than before end a search: what follows is another. */
  private static final int CONVERGED = 10;

  /** Four refusals of the longer delay tell a share within a factor of two. */
  private static final int ENOUGH = 4;

  /** Where a share is known already, it takes more to know it better: within a quarter. */
  private static final int ENOUGH_TO_KNOW_BETTER = 16;

  /** The most that is asked at half the pace: seven refusals at the least noise that matters. */
  private static final int LONGEST = 2_000;

  /** Noise that is known may differ by so much between the two, by chance. */
  private static final double ALIKE = 1.6;

  /** A limit that refuses the longer delay this many times as often has changed meanwhile. */
  private static final int CHANGED = 4;

  /** Where slower helped though refusals were rare, a probe must outlast some of them. */
  private static final int OUTLAST = 3;

  private static final int LONGEST_PATIENCE = 300;

  /** A limit that is not sharp needs a little more, not twice as much. */
  private static final double HELPED = 1.15;

  private SlowerTrial() {}

  /** Counts a refusal of the search. */
  static void count(LearningDraft draft, Incident over) {
    if (draft.tries > 1 && over.served() > CONVERGED * draft.searched / draft.tries) {
      draft.forgetCounts();
    }
    if (over.refusals() < 3) { // Noise seldom comes three times in a row.
      draft.tries += over.refusals();
      draft.searched += over.served();
    }
  }

  /**
   * Where slower has helped before, the limit is not sharp: it takes twice as many to try again.
   */
  static boolean isDue(LearningDraft draft, Incident over) {
    int aimless = draft.alarms > 0 ? 2 * AIMLESS : AIMLESS;
    return draft.tries >= aimless && over.served() <= draft.searched / draft.tries;
  }

  static void begin(LearningDraft draft, Incident over) {
    Duration from = longer(over.delay(), draft.floor.orElseThrow());
    int needed = Math.max((int) draft.drawn(millis(from)), 2 * enough(draft) * spacing(draft));
    draft.floor = Optional.of(from);
    draft.begin(
        Delays.of(millis(from) * SLOWER),
        new Probe(from, false, true, Math.min(LONGEST, needed), 0));
  }

  private static int enough(LearningDraft draft) {
    return draft.noise.share() > 0 ? ENOUGH_TO_KNOW_BETTER : ENOUGH;
  }

  private static int spacing(LearningDraft draft) {
    return Math.max(1, draft.searched / Math.max(1, draft.tries));
  }

  /** The longer delay was refused; whether often enough to be compared. */
  static boolean refused(LearningDraft draft, Incident over) {
    Probe probe = draft.probe.orElseThrow();
    int refusals = probe.refusals() + over.refusals();
    draft.probe = Optional.of(new Probe(probe.from(), false, true, probe.needed(), refusals));
    draft.learned = over.delay();
    return refusals >= enough(draft);
  }

  /** Whether the longer delay is refused so much more often that the limit must have changed. */
  static boolean isChanged(LearningDraft draft) {
    long slower = (long) draft.probe.orElseThrow().refusals() * draft.searched;
    return CHANGED * (long) draft.row * draft.tries < slower;
  }

  /** Decides what both shares say; what the bracket is then is left to the next probe. */
  static void compare(LearningDraft draft) {
    Probe probe = draft.probe.orElseThrow();
    int requests = Math.max(1, draft.row);
    double slow = (double) probe.refusals() / requests;
    double fast = (double) draft.tries / Math.max(1, draft.searched);
    double both = (double) (draft.tries + probe.refusals()) / (draft.searched + requests);
    int spacing = spacing(draft);
    boolean known = draft.noise.share() > 0;
    boolean refusedToo = probe.refusals() > 1;
    Duration slower = draft.learned;
    draft.forgetSearch();
    draft.probe = Optional.empty();
    draft.row = 0;
    draft.inferred = false;
    draft.guessed = false;
    if (refusedToo && (!known || fast <= ALIKE * slow)) {
      // Slower did not help, so it was not the pace.
      draft.noise = Noise.found(known ? slow : Math.min(both, 2 * slow));
      draft.alarms = 0;
      draft.refused = Optional.empty();
      draft.closure = Optional.empty();
      draft.burst = 4 * draft.burst > spacing ? 0 : draft.burst; // Noise ended it, not a limit.
      draft.floor = Optional.of(probe.from());
    } else {
      draft.noise = refusedToo ? Noise.found(slow) : Noise.NONE;
      draft.patience = refusedToo ? 0 : Math.min(LONGEST_PATIENCE, OUTLAST * spacing);
      draft.refused = Optional.of(probe.from());
      draft.floor = Optional.of(Delays.of(Math.min(millis(slower), HELPED * millis(probe.from()))));
      draft.alarms = refusedToo ? 0 : 1;
    }
  }
}
