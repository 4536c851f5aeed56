package dev.comity.core.policy.learning;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.util.Delays;
import dev.comity.core.util.Doubling;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How refusals and successes move the learned delay.
 *
 * <p>A site that answers 429 tells us that we are too fast, but not by how much, nor whether it
 * meant the pace at all. A refusal has one of five causes, and they want different things:
 *
 * <ul>
 *   <li><em>A rate</em>, with more or less room for bursts. The delay must be just longer than the
 *       rate allows and stay there.
 *   <li><em>A window</em>: so many requests in a minute, an hour or a day. All is well until the
 *       quota is used up; then nothing is served until the window ends.
 *   <li><em>Noise.</em> A busy back end answers 429 now and then, whatever our pace. Slowing down
 *       gains nothing.
 *   <li><em>A ban</em>: refusals were counted, and everything is refused for a while.
 *   <li><em>A change.</em> What held yesterday is refused today, or what was refused is allowed.
 * </ul>
 *
 * <p>Three measurements tell them apart. What was served between two refusals bounds the allowed
 * rate from below, and the refused delay bounds it from above ({@link Bracket}). How long the site
 * stayed closed, after how many requests, tells a window and its quota; the same closure after a
 * different number is a ban. And a rate refuses a delay twice as long never, noise just as often
 * ({@link SlowerTrial}).
 *
 * <p>Requests overlap, so an answer may be older than what we know. The answer to a request started
 * before the last counted refusal arrived teaches nothing: five refusals in flight are one
 * incident, and a success that was already on its way does not end it. It was served all the same,
 * and is counted among what was.
 *
 * <p>During an incident the delay grows by a second with each refusal; that is for the incident
 * only. What the incident teaches is known at its end, because how long it lasted is part of it.
 *
 * <p>Which delay is tried next is the business of the {@link Search}: {@link BracketSearch}, or
 * {@link StepSearch} for the plain rule of a second up and a second down.
 */
public final class DelayLearning {
  /** The lengths of nearly all windows: few, because each that is tried in vain is a refusal. */
  private static final List<Duration> WINDOWS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1));

  /** A site that is known to close for longer has a quota by the day. */
  private static final Duration DAY = Duration.ofDays(1);

  /** A request on a slow line may arrive early in comparison with the first one. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(1);

  private final LearningSettings settings;
  private final Search search;

  public DelayLearning(LearningSettings settings) {
    this.settings = settings;
    this.search =
        switch (settings.style()) {
          case MIDPOINT -> new BracketSearch(settings);
          case STEP -> new StepSearch(settings);
        };
  }

  /** Whether the answer to this request is older than what is known. */
  public boolean isStale(LearnedDelay learning, Attempt attempt) {
    return !attempt.startedAt().isAfter(learning.lastRefusal());
  }

  /** The site served a request. */
  public LearnedDelay served(LearnedDelay was, Attempt attempt, Duration base) {
    LearnedDelay counted = counted(was, attempt);
    if (isStale(was, attempt)) {
      return counted;
    }
    LearnedDelay calm = counted.incident().isPresent() ? ended(counted, attempt, base) : counted;
    if (!attempt.delay().equals(calm.pace(base))) {
      return calm; // It was started under another delay and says nothing about this one.
    }
    LearningDraft draft = new LearningDraft(calm);
    draft.row++;
    search.held(draft, base);
    return draft.done();
  }

  /**
   * The site answered, though not with what was wanted. It lets us in again, and the request came
   * out of the same bucket as any other: a robots.txt that is missing is the first of most bursts.
   */
  public LearnedDelay answered(LearnedDelay was, Attempt attempt, Duration base) {
    LearnedDelay counted = counted(was, attempt);
    return isStale(was, attempt) || was.incident().isEmpty()
        ? counted
        : ended(counted, attempt, base);
  }

  /** Counts a request that no limit held back. */
  private static LearnedDelay counted(LearnedDelay was, Attempt attempt) {
    return attempt.startedAt().isAfter(was.evidence().emptyAt())
        ? was.with(was.evidence().servedAt(attempt.startedAt()))
        : was.servedBefore();
  }

  /** The site failed, so what came before was not a row of successes. */
  public LearnedDelay failed(LearnedDelay was, Attempt attempt) {
    boolean steps = settings.style() == ProbeStyle.STEP;
    return isStale(was, attempt) || was.row() == 0 || !steps ? was : was.counted(0);
  }

  /** The site refused a request, and the refusal counts. */
  public LearnedDelay refused(LearnedDelay was, Attempt attempt, Duration base, Instant now) {
    LearningDraft draft = new LearningDraft(was);
    draft.lastRefusal = now;
    if (draft.incident.isPresent()) {
      again(draft, attempt, base);
    } else if (settings.style() == ProbeStyle.STEP
        && attempt.delay().compareTo(settings.cap()) >= 0) {
      draft.open(attempt, draft.learned);
    } else {
      search.refused(draft, attempt, base);
    }
    return draft.done();
  }

  /** How long the refusals of this incident make us rest, whatever else does. */
  public Duration rest(LearnedDelay learning) {
    Duration rest = Doubling.rest(learning.refusalsInARow());
    return isClosed(learning) ? Delays.longer(rest, untilItOpens(learning, rest)) : rest;
  }

  /**
   * Whether the site is closed for a while, and not for being asked too fast just now. Every try
   * while a window is closed is a refusal, so the next one is made when the window must have ended:
   * one that is known, or one of a usual length where nothing is known.
   */
  private boolean isClosed(LearnedDelay learning) {
    Evidence evidence = learning.evidence();
    return settings.style() == ProbeStyle.MIDPOINT
        && learning.refusalsInARow() > 1
        && (learning.floor().isEmpty() || evidence.closure().isPresent())
        && evidence.noise().share() == 0
        && !learning.incident().orElseThrow().openSince().equals(Evidence.NEVER);
  }

  /** A window began with the first request that was served, or earlier. */
  private static Duration untilItOpens(LearnedDelay learning, Duration rest) {
    Instant open = learning.incident().orElseThrow().openSince();
    Duration soonest = Duration.between(open, learning.lastRefusal().plus(rest));
    Optional<Closure> known = learning.evidence().closure();
    Duration least =
        known.isPresent() ? known.get().length().multipliedBy(2).dividedBy(3) : soonest;
    for (Duration window : WINDOWS) {
      if (window.compareTo(least) >= 0) {
        return until(window, soonest, open, learning.lastRefusal());
      }
    }
    return known.isPresent() ? until(DAY, soonest, open, learning.lastRefusal()) : rest;
  }

  /** Until the first end of such a window that is no sooner than that. */
  private static Duration until(Duration window, Duration soonest, Instant open, Instant now) {
    Duration end = window.multipliedBy(soonest.dividedBy(window) + 1).plus(CLOCKS_DIFFER);
    return Duration.between(now, open.plus(end));
  }

  /** The streaks are over, whatever they were: after a cooldown, or by an operator's reset. */
  public LearnedDelay forgetStreaks(LearnedDelay was) {
    if (was.incident().isEmpty()) {
      return was.row() == 0 ? was : was.counted(0);
    }
    LearningDraft draft = new LearningDraft(was);
    draft.learned = draft.incident.orElseThrow().taught();
    draft.incident = Optional.empty();
    if (draft.probe.isPresent()) {
      draft.leaveProbe();
    }
    draft.row = 0;
    return draft.done();
  }

  /**
   * Times stamped by a clock ahead of ours are taken to be now. Otherwise every answer would be
   * older than the last refusal until our clock gets there, and refusals would neither rest nor
   * teach.
   */
  public LearnedDelay notAheadOf(LearnedDelay was, Instant now) {
    if (!was.lastRefusal().isAfter(now)) {
      return was;
    }
    LearningDraft draft = new LearningDraft(was);
    draft.lastRefusal = now;
    draft.emptyAt = draft.emptyAt.isAfter(now) ? now : draft.emptyAt;
    draft.openSince = draft.openSince.isAfter(now) ? now : draft.openSince;
    return draft.done();
  }

  /**
   * What is set has changed. A probe cannot go on under it; what was saved was for another delay.
   */
  public LearnedDelay rebased(LearnedDelay was, Duration from, Duration to) {
    if (was.pace(from).equals(was.pace(to))) {
      return was;
    }
    LearningDraft draft = new LearningDraft(was);
    if (draft.probe.isPresent()) {
      Duration grown = draft.learned;
      boolean refusing = draft.incident.isPresent();
      draft.leaveProbe();
      if (refusing) {
        draft.teach(draft.learned);
        draft.learned = Delays.longer(grown, draft.learned);
      }
    }
    draft.row = 0;
    return draft.done();
  }

  private void again(LearningDraft draft, Attempt attempt, Duration base) {
    draft.incident = Optional.of(draft.incident.orElseThrow().again(attempt.startedAt()));
    if (attempt.delay().compareTo(settings.cap()) < 0) {
      draft.learned = settings.capped(draft.pace(base).plus(LearningSettings.STEP));
    }
    search.refusedAgain(draft);
  }

  private LearnedDelay ended(LearnedDelay was, Attempt attempt, Duration base) {
    LearningDraft draft = new LearningDraft(was);
    Incident over = draft.incident.orElseThrow();
    draft.incident = Optional.empty();
    draft.learned = over.taught();
    search.ended(draft, over, attempt.startedAt(), base);
    return draft.done();
  }
}
