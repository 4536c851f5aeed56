package dev.comity.core.policy.learning;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import java.time.Duration;
import java.time.Instant;

/** How the right delay is looked for: what a refusal teaches, and what a delay that held allows. */
sealed interface Search permits BracketSearch, StepSearch {

  /** The first refusal after a success. It opens the incident. */
  void refused(LearningDraft draft, Attempt attempt, Duration base);

  /** A further one, already counted; the delay has grown for as long as the incident lasts. */
  void refusedAgain(LearningDraft draft);

  /**
   * The site answers again; the learned delay is what the incident taught.
   *
   * @param start when the request was started that was answered
   */
  void ended(LearningDraft draft, Incident over, Instant start, Duration base);

  /** A success at the present delay, already counted. */
  void held(LearningDraft draft, Duration base);
}
