package dev.comity.core.policy;

/**
 * What the engine has open on a domain. It is no part of the stored state: after a crash nothing is
 * in flight.
 *
 * @param requests dispatched and not yet settled, the one about to start included
 * @param starting whether one of them has written no byte yet, so that the time of the next slot is
 *     unknown, unless there is no delay
 */
public record InFlight(int requests, boolean starting) {
  /** Nothing is open. */
  public static final InFlight NONE = new InFlight(0, false);

  /** So many requests, all of them started. */
  public static InFlight started(int requests) {
    return requests == 0 ? NONE : new InFlight(requests, false);
  }
}
