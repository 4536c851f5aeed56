/**
 * Every rule of politeness, as pure functions of what is known, what happened and what time it is.
 *
 * <p>A domain is one {@link dev.comity.core.policy.DomainState}. Its holder asks {@link
 * dev.comity.core.policy.DomainPolicy#turn} what to do and is told to fetch, to wait, to park the
 * domain or to stop. When a request starts, {@link dev.comity.core.policy.DomainPolicy#started}
 * notes the time, because the next slot is counted from there. When it ends, {@link
 * dev.comity.core.policy.DomainPolicy#decide} turns the outcome into a {@link
 * dev.comity.core.policy.Decision}: what becomes of the URL, what the domain's state is now, and
 * what of it is worth telling. The holder stores that as a whole and asks again.
 *
 * <p>Nothing here reads a clock, waits, draws a random number or keeps anything between two calls.
 * That is what lets a test own the time, a simulation run a day in a second, and a crash cost
 * nothing but the requests in flight.
 *
 * <p>The rules by family: {@code OutcomeRules} says what each outcome means; {@link
 * dev.comity.core.policy.Pace} says which delay holds and how many requests may be open; {@code
 * Lessons}, with a {@code Search}, how refusals and successes move the learned delay (read its
 * essay first); {@link dev.comity.core.policy.Failures} which failures count; {@link
 * dev.comity.core.policy.Lifecycle} how a domain passes between its states; {@link
 * dev.comity.core.policy.Latency} how long to wait for an answer, {@link
 * dev.comity.core.policy.Heard} when the last one came. Beside the single domain stand {@link
 * dev.comity.core.policy.Budget}, {@link dev.comity.core.policy.JobStreak}, {@link
 * dev.comity.core.policy.OutageGuard}, {@link dev.comity.core.policy.Priority} and {@link
 * dev.comity.core.policy.RefreshInterval}.
 */
@NullMarked
package dev.comity.core.policy;

import org.jspecify.annotations.NullMarked;
