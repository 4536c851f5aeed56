/**
 * Every rule of politeness, as pure functions of what is known, what happened and what time it is.
 *
 * <p>A domain is one {@link dev.comity.core.policy.DomainState}. Its worker asks {@link
 * dev.comity.core.policy.DomainPolicy#turn} what to do: fetch, wait, park the domain or stop. When
 * a request starts, {@link dev.comity.core.policy.DomainPolicy#started} notes the time, because the
 * next slot is counted from there. When the request ends, {@link
 * dev.comity.core.policy.DomainPolicy#decide} turns the outcome into a {@link
 * dev.comity.core.policy.Decision}. A decision holds the fate of the URL, the domain's next state,
 * and the changes worth reporting. The worker stores it as a whole and asks again.
 *
 * <p>Nothing here reads a clock, waits, draws a random number or keeps anything between two calls.
 * So a test owns the time, a simulation runs a day in a second, and a crash costs only the requests
 * in flight.
 *
 * <p>{@code OutcomeRules} says what each outcome means. {@link dev.comity.core.policy.Pace} says
 * which delay holds. {@link dev.comity.core.policy.Failures} says which failures count. {@code
 * lifecycle} is the package with the table of a domain's states. How refusals move the delay is the
 * package {@code learning}; numbers a user may set are the package {@code settings}.
 */
@NullMarked
package dev.comity.core.policy;

import org.jspecify.annotations.NullMarked;
