package dev.comity.core.policy;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.lifecycle.Standing;
import java.time.Duration;
import java.time.Instant;

/** Something about a domain that is different after a decision. */
public sealed interface Change {

  /** The effective delay is another one. */
  record Throttle(Duration from, Duration to, Pace.Rule rule, int refusalsInARow)
      implements Change {}

  /** A refusal was counted that follows a success. */
  record IncidentOpened(Duration delay, Instant restUntil) implements Change {}

  /** A refusal was counted that follows another. */
  record RefusedAgain(int inARow, Instant restUntil) implements Change {}

  /** The site answers again. */
  record IncidentEnded(int refusals) implements Change {}

  /** A shorter delay is being tried. */
  record ProbeBegun(Duration from, Duration to, boolean retry) implements Change {}

  /** The shorter delay held. */
  record ProbeStood(Duration delay) implements Change {}

  /** The shorter delay was refused, or the probe ended unproven. */
  record ProbeEnded(Duration delay, boolean refused) implements Change {}

  /** More or fewer requests may be in flight. */
  record Concurrency(int from, int to) implements Change {}

  /** The domain is closed. */
  record Closed(Standing standing) implements Change {}

  /** One authority's robots.txt cannot be had, so its URLs fail; the rest of the domain goes on. */
  record AuthorityGivenUp(Category reason) implements Change {}

  /** URLs of this template are asked no more: they bring nothing new. */
  record TemplateSuppressed(String template, String why) implements Change {}

  /** Too many refusals at the longest delay: the job is to be cancelled. */
  record JobCancelled(int refusals) implements Change {}
}
