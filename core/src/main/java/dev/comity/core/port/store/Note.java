package dev.comity.core.port.store;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.trap.TemplateStats;
import java.util.List;
import java.util.Optional;

/**
 * The result of a request that settles no URL of the frontier, for a robots.txt for example. It is
 * written atomically.
 *
 * @param state the domain's state after it
 * @param request the request, if one was sent
 * @param robots the robots.txt or tdmrep.json that was read
 * @param found URLs to add
 * @param tallies new statistics of the domain's templates
 */
public record Note(
    DomainState state,
    Optional<Exchange> request,
    Optional<RobotsCopy> robots,
    List<QueuedUrl> found,
    List<TemplateStats> tallies) {

  /** A note without statistics of templates. */
  public Note(
      DomainState state,
      Optional<Exchange> request,
      Optional<RobotsCopy> robots,
      List<QueuedUrl> found) {
    this(state, request, robots, found, List.of());
  }

  /** The same note with other URLs to add. */
  public Note finding(List<QueuedUrl> others) {
    return new Note(state, request, robots, others, tallies);
  }

  /** A request and its outcome. */
  public record Exchange(Attempt attempt, Fetched fetched) {}

  /** A note of the state alone. */
  public static Note of(DomainState state) {
    return new Note(state, Optional.empty(), Optional.empty(), List.of());
  }
}
