package dev.comity.core.policy;

import dev.comity.core.policy.Evidence.Closure;
import dev.comity.core.policy.Learning.Incident;
import java.time.Duration;
import java.time.Instant;
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
final class Lessons {
  /** A site that was closed for this long has a quota by the day or so. */
  private static final Duration LONG = Duration.ofHours(1);

  /** So often it is tried whether such a site is open again: each try is a refusal. */
  private static final int TRIES_WHILE_CLOSED = 4;

  private final LearningSettings settings;
  private final Search search;

  Lessons(LearningSettings settings) {
    this.settings = settings;
    this.search =
        switch (settings.style()) {
          case MIDPOINT -> new BracketSearch(settings);
          case STEP -> new StepSearch(settings);
        };
  }

  /** Whether the answer to this request is older than what is known. */
  boolean isStale(Learning learning, Attempt attempt) {
    return !attempt.startedAt().isAfter(learning.lastRefusal());
  }

  /** The site served a request. */
  Learning served(Learning was, Attempt attempt, Duration base) {
    Learning counted =
        attempt.startedAt().isAfter(was.evidence().emptyAt())
            ? was.with(was.evidence().servedAt(attempt.startedAt()))
            : was;
    if (isStale(was, attempt)) {
      return counted;
    }
    Learning calm = counted.incident().isPresent() ? ended(counted, attempt, base) : counted;
    if (!attempt.delay().equals(calm.pace(base))) {
      return calm; // It was started under another delay and says nothing about this one.
    }
    LearningDraft draft = new LearningDraft(calm);
    draft.row++;
    search.held(draft, base);
    return draft.done();
  }

  /** The site answered, though not with what was wanted: it lets us in again, no more. */
  Learning answered(Learning was, Attempt attempt, Duration base) {
    return isStale(was, attempt) || was.incident().isEmpty() ? was : ended(was, attempt, base);
  }

  /** The site failed, so what came before was not a row of successes. */
  Learning failed(Learning was, Attempt attempt) {
    boolean steps = settings.style() == ProbeStyle.STEP;
    return isStale(was, attempt) || was.row() == 0 || !steps ? was : was.counted(0);
  }

  /** The site refused a request, and the refusal counts. */
  Learning refused(Learning was, Attempt attempt, Duration base, Instant now) {
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
  Duration rest(Learning learning) {
    Duration rest = Doubling.rest(learning.refusalsInARow());
    Optional<Closure> closure = learning.evidence().closure();
    return closure.isPresent() && closure.get().length().compareTo(LONG) >= 0
        ? Delays.longer(rest, closure.get().length().dividedBy(TRIES_WHILE_CLOSED))
        : rest;
  }

  /** The streaks are over, whatever they were: after a cooldown, or by an operator's reset. */
  Learning forgetStreaks(Learning was) {
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
  Learning notAheadOf(Learning was, Instant now) {
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
  Learning rebased(Learning was, Duration from, Duration to) {
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
        draft.learned = grown.compareTo(draft.learned) > 0 ? grown : draft.learned;
      }
    }
    draft.row = 0;
    return draft.done();
  }

  private void again(LearningDraft draft, Attempt attempt, Duration base) {
    draft.incident = Optional.of(draft.incident.orElseThrow().again(attempt.startedAt()));
    if (attempt.delay().compareTo(settings.cap()) < 0) {
      Duration grown = draft.pace(base).plus(LearningSettings.STEP);
      draft.learned = grown.compareTo(settings.cap()) > 0 ? settings.cap() : grown;
    }
    search.refusedAgain(draft);
  }

  private Learning ended(Learning was, Attempt attempt, Duration base) {
    LearningDraft draft = new LearningDraft(was);
    Incident over = draft.incident.orElseThrow();
    draft.incident = Optional.empty();
    draft.learned = over.taught();
    search.ended(draft, over, attempt.startedAt(), base);
    return draft.done();
  }
}
