package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.longer;
import static dev.comity.core.util.Delays.millis;

import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells noise from a limit by comparing how often two delays are refused.
 *
 * <p>What was served between two refusals is no more than what was allowed, so no limit refuses a
 * longer delay than that. One that is refused twice all the same is the business of no limit that
 * stays the same. Then a delay twice as long is tried. A limit that was a little too strict does
 * not refuse it, noise refuses both alike, and a limit that has changed refuses nearly everything.
 * Where a delay twice as long is refused before any trial, that is known already, and what was
 * counted belongs to the limit that was.
 *
 * <p>Where a share of noise is known, it is a rough one. It is measured again, against a delay a
 * quarter longer, before it is relied on: a limit that is overrun a little refuses as seldom as
 * noise does.
 */
final class SlowerTrial {
  /** How much longer: no limit is that far from what it has served. */
  private static final double SLOWER = 2;

  /** Where noise is known, a limit is not overrun by more than this: that would show at once. */
  private static final double A_LITTLE_SLOWER = 1.25;

  /** Refusals that are rarer than one in so many are not worth the trial. */
  private static final int RAREST = 500;

  /** From fewer requests than this no rate can be told. */
  private static final int FEWEST = 10;

  /** Refusals this many times farther apart than before end a search: what follows is another. */
  private static final int CONVERGED = 10;

  /** Six refusals of the longer delay tell a share within a factor of two. */
  private static final int ENOUGH = 6;

  /** Where a share is known already, it takes more to know it better: within a fifth. */
  private static final int ENOUGH_TO_KNOW_BETTER = 32;

  /** The least: the first refusals were a chance selection, and noise is rarer than they say. */
  private static final int LEAST = 200;

  /** The most that is asked at half the pace: seven refusals at the least noise that matters. */
  private static final int LONGEST = 2_000;

  /** Standard deviations by which each share may be off, so that both differ by two. */
  private static final double CHANCE = 1.4;

  /** Where noise was underestimated by so much, it may have refused what no limit does. */
  private static final double MORE = 1.25;

  /** More than a quarter refused is no noise: a limit has changed. */
  private static final int CHANGED = 4;

  /** Refusals that become so much more frequent, beyond chance, at a longer delay are no noise. */
  private static final double MUCH_MORE = 2;

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
    if (isTightened(draft, over)) {
      draft.forgetCounts();
    }
    if (over.refusals() < 3) { // Noise seldom comes three times in a row.
      draft.tries += over.refusals();
      draft.searched += over.served();
    }
  }

  /** Whether twice the delay that sufficed is refused: the limit that was counted is no more. */
  private static boolean isTightened(LearningDraft draft, Incident over) {
    return draft.noise.share() == 0
        && !draft.atMost.isZero()
        && millis(over.delay()) >= SLOWER * millis(draft.atMost);
  }

  /** What was served between two refusals sufficed: no limit refuses a longer delay. */
  static void bound(LearningDraft draft, Measured it) {
    if (!it.first() && it.served() >= FEWEST) {
      Duration bound = Delays.of(it.cycle() * (it.served() + 2) / it.served());
      boolean shorter = draft.atMost.isZero() || bound.compareTo(draft.atMost) < 0;
      draft.atMost = shorter ? bound : draft.atMost;
    }
  }

  /** Whether a delay was refused that suffices; twice is no chance. */
  static boolean isAgainst(LearningDraft draft, Incident over) {
    return over.refusals() == 1
        && draft.floor.isPresent()
        && !draft.atMost.isZero()
        && draft.searched <= RAREST * draft.tries
        && over.delay().compareTo(draft.atMost) >= 0;
  }

  static void begin(LearningDraft draft, Duration refused) {
    Duration from = longer(refused, draft.floor.orElseThrow());
    int needed = Math.max(LEAST, 2 * enough(draft) * spacing(draft));
    draft.floor = Optional.of(from);
    draft.begin(
        Delays.of(millis(from) * (draft.noise.share() > 0 ? A_LITTLE_SLOWER : SLOWER)),
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

  /** Whether a settled delay is clearly refused more often than noise alone would do it. */
  static boolean isMoreThanNoise(LearningDraft draft) {
    return atLeast(draft.tries) > MORE * draft.noise.share() * draft.searched;
  }

  /**
   * Whether the longer delay is refused so much more often that the limit must have changed: more
   * than noise ever is, or clearly more than the shorter delay was.
   */
  static boolean isChanged(LearningDraft draft) {
    int refusals = draft.probe.orElseThrow().refusals();
    double before = atMost(draft.tries) / Math.max(1, draft.searched);
    return CHANGED * refusals > draft.row + refusals
        || (draft.noise.share() == 0 && atLeast(refusals) > MUCH_MORE * before * draft.row);
  }

  private static double atLeast(int refusals) {
    return refusals - CHANCE * Math.sqrt(refusals);
  }

  static double atMost(int refusals) {
    return refusals + CHANCE * Math.sqrt(refusals);
  }

  /** Decides what both shares say; what the bracket is then is left to the next probe. */
  static void compare(LearningDraft draft) {
    Probe probe = draft.probe.orElseThrow();
    int requests = Math.max(1, draft.row);
    double slow = (double) probe.refusals() / requests;
    double fast = atLeast(draft.tries) / Math.max(1, draft.searched);
    double most = atMost(probe.refusals()) / requests;
    double both = (double) (draft.tries + probe.refusals()) / (draft.searched + requests);
    int spacing = spacing(draft);
    boolean known = draft.noise.share() > 0;
    boolean refusedToo = probe.refusals() > 1;
    Duration slower = draft.learned;
    draft.forgetSearch();
    draft.probe = Optional.empty();
    draft.row = 0;
    draft.guessed = !known;
    if (refusedToo && (!known || fast <= most)) {
      // Slower did not help, so it was not the pace.
      boolean more = slow > MORE * draft.noise.share();
      draft.noise = Noise.found(known ? slow : Math.min(both, 2 * slow));
      draft.refused = more ? Optional.empty() : draft.refused;
      draft.closure = Optional.empty();
      draft.burst = 4 * draft.burst > spacing ? 0 : draft.burst; // Noise ended it, not a limit.
      draft.floor = Optional.of(probe.from());
    } else {
      draft.noise = refusedToo ? Noise.found(slow) : Noise.NONE;
      draft.patience = refusedToo ? 0 : Math.min(LONGEST_PATIENCE, OUTLAST * spacing);
      draft.refused = Optional.of(probe.from());
      draft.floor = Optional.of(Delays.of(Math.min(millis(slower), HELPED * millis(probe.from()))));
    }
  }
}
