package dev.comity.core.port.store;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.trap.TemplateStats;
import java.util.List;
import java.util.Optional;

/**
 * What a request leaves behind that settled no URL of the frontier: for a robots.txt, say. Written
 * together or not at all.
 *
 * @param state the domain's state after it
 * @param request the request, where one was sent
 * @param robots the robots.txt that was read
 * @param found URLs to add
 * @param tallies what is known from now on of templates of the domain
 */
public record Note(
    DomainState state,
    Optional<Exchange> request,
    Optional<RobotsCopy> robots,
    List<QueuedUrl> found,
    List<TemplateStats> tallies) {

  /** Nothing is known anew of any template. */
  public Note(
      DomainState state,
      Optional<Exchange> request,
      Optional<RobotsCopy> robots,
      List<QueuedUrl> found) {
    this(state, request, robots, found, List.of());
  }

  /** A request and what it came to. */
  public record Exchange(Attempt attempt, Fetched fetched) {}

  /** Nothing but the state. */
  public static Note of(DomainState state) {
    return new Note(state, Optional.empty(), Optional.empty(), List.of());
  }
}
