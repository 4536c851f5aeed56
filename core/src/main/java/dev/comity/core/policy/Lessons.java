package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How refusals and successes move the learned delay.
 *
 * <p>A site that answers 429 tells us that we are too fast, but not by how much, nor whether it
 * meant the pace at all. What we are told has four possible meanings, and they want different
 * things:
 *
 * <ul>
 *   <li><em>A limit.</em> Below some delay refusals come soon and again and again. The delay must
 *       grow beyond it and stay just beyond it.
 *   <li><em>A window.</em> So many requests in a minute or an hour: all is well for long, then
 *       nothing is until the window ends. The streak of refusals is long, whatever came before.
 *   <li><em>Noise.</em> A busy back end answers 429 now and then, whatever our pace. Slowing down
 *       gains nothing and costs everything.
 *   <li><em>A change.</em> What held yesterday is refused today, or what was refused is allowed.
 * </ul>
 *
 * <p>One number tells them apart: the <em>savings</em> of a delay. Each success at it saves one, up
 * to 300; each refusal costs 100. A delay that can pay is pardoned: we rest, send one request at a
 * time until one succeeds, and go on as before. One that cannot pay is <em>refused</em> and a
 * longer one takes its place. So a delay with fewer than one refusal in a hundred requests lives,
 * which is the rate we promise; noise seldom runs out of savings; a limit does at once, a window by
 * the length of its streak.
 *
 * <p>Requests overlap, so an answer may be older than what we know. The answer to a request started
 * before the last counted refusal arrived changes nothing here: five refusals in flight are one
 * incident, and a success that was already on its way does not end it.
 *
 * <p>During an incident the delay grows by a second with each refusal; that is for the incident
 * only. At the next success it falls back to what the verdict on the first one was.
 *
 * <p>Which delay takes the place of a refused one, and how shorter ones are tried, is the business
 * of the {@link Search}.
 */
final class Lessons {
  private final LearningSettings settings;
  private final Search search;

  /** Beyond this no rule counts successes in a row. */
  private final int longestRow;

  Lessons(LearningSettings settings) {
    this.settings = settings;
    this.search =
        switch (settings.style()) {
          case MIDPOINT -> new MidpointSearch(settings);
          case STEP -> new StepSearch(settings);
        };
    this.longestRow =
        Math.max(
            settings.probeAfter(), Math.max(settings.standsAfter(), settings.retryStandsAfter()));
  }

  /** Whether the answer to this request is older than what is known. */
  boolean isStale(Learning learning, Attempt attempt) {
    return !attempt.startedAt().isAfter(learning.lastRefusal());
  }

  /** The site served a request. */
  Learning served(Learning was, Attempt attempt, Duration base, Instant now) {
    if (isStale(was, attempt)) {
      return was;
    }
    Learning calm = was.incident().isPresent() ? ended(was, now) : was;
    if (!attempt.delay().equals(calm.pace(base))) {
      return calm; // It was started under another delay and says nothing about this one.
    }
    int row = Math.min(longestRow, calm.row() + 1);
    int savings = Math.min(settings.savings(), calm.savings() + 1);
    if (calm.probe().isEmpty() && calm.learned().compareTo(base) <= 0) {
      boolean nothingNew = row == calm.row() && savings == calm.savings();
      return nothingNew ? calm : calm.counted(row, savings);
    }
    LearningDraft draft = new LearningDraft(calm);
    draft.row = row;
    draft.savings = savings;
    if (draft.refused.isPresent()) {
      draft.recheck = draft.recheck.served();
    }
    search.held(draft, base, now);
    return draft.done();
  }

  /** The site answered, though not with what was wanted: it lets us in again, no more. */
  Learning answered(Learning was, Attempt attempt, Instant now) {
    return isStale(was, attempt) || was.incident().isEmpty() ? was : ended(was, now);
  }

  /** The site failed, so what came before was not a row of successes. */
  Learning failed(Learning was, Attempt attempt) {
    return isStale(was, attempt) || was.row() == 0 ? was : was.counted(0, was.savings());
  }

  /** The site refused a request, and the refusal counts. */
  Learning refused(Learning was, Attempt attempt, Duration base, Instant now) {
    LearningDraft draft = new LearningDraft(was);
    draft.lastRefusal = now;
    Duration delay = attempt.delay();
    if (draft.incident.isPresent()) {
      again(draft, delay, base, now);
    } else if (delay.compareTo(settings.cap()) >= 0) {
      draft.open(delay, draft.learned, Verdict.RESTED, now);
    } else {
      search.refused(draft, delay, base, now);
    }
    return draft.done();
  }

  /** How long the refusals of this incident make us rest, whatever else does. */
  Duration rest(Learning learning) {
    return Doubling.rest(settings.firstRest(), learning.refusalsInARow(), settings.longestRest());
  }

  /** The streaks are over, whatever they were: after a cooldown, or by an operator's reset. */
  Learning forgetStreaks(Learning was, Instant now) {
    Learning calm = was.incident().isPresent() ? ended(was, now) : was;
    return calm.row() == 0 ? calm : calm.counted(0, calm.savings());
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
    draft.openedNotAfter(now);
    draft.recheck = draft.recheck.sinceNotAfter(now);
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
      draft.leaveProbe();
      if (draft.incident
          .isPresent()) { // A retry with a refusal pardoned: it has nowhere to return.
        draft.judge(draft.learned, draft.incident.get().verdict());
        draft.learned = grown.compareTo(draft.learned) > 0 ? grown : draft.learned;
      }
    }
    draft.row = 0;
    draft.savings = 0;
    return draft.done();
  }

  private void again(LearningDraft draft, Duration delay, Duration base, Instant now) {
    Incident so = draft.incident.orElseThrow();
    draft.incident =
        Optional.of(
            new Incident(so.refusals() + 1, so.delay(), so.taught(), so.verdict(), so.openedAt()));
    if (delay.compareTo(settings.cap()) < 0) {
      Duration grown = draft.pace(base).plus(settings.step());
      draft.learned = grown.compareTo(settings.cap()) > 0 ? settings.cap() : grown;
    }
    search.refusedAgain(draft, now);
  }

  private Learning ended(Learning was, Instant now) {
    LearningDraft draft = new LearningDraft(was);
    Incident over = draft.incident.orElseThrow();
    draft.incident = Optional.empty();
    draft.learned = over.taught();
    // A retry is judged by all it served; elsewhere only an unbroken row counts.
    boolean retry = draft.probe.isPresent() && draft.probe.get().retry();
    draft.row = retry ? draft.row : 0;
    search.ended(draft, over, now);
    return draft.done();
  }
}
