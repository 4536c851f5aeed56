package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Incident;
import java.time.Duration;
import java.time.Instant;

/** How the right delay is looked for: what a refusal teaches, and what a delay that held allows. */
sealed interface Search permits MidpointSearch, StepSearch {

  /** The first refusal after a success. */
  void refused(LearningDraft draft, Duration delay, Duration base, Instant now);

  /** A further one, already counted; the delay has grown for as long as the incident lasts. */
  void refusedAgain(LearningDraft draft, Instant now);

  /** The site answers again; the learned delay is what the incident taught. */
  void ended(LearningDraft draft, Incident over, Instant now);

  /** A success at the present delay, already counted. */
  void held(LearningDraft draft, Duration base, Instant now);
}
