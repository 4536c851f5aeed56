package dev.comity.core.policy.lifecycle;

/** The states of a domain. {@link Lifecycle} says how it passes between them. */
public enum DomainStatus {
  /** Waiting to be claimed. */
  PENDING,
  /** Claimed before, with work left. */
  ACTIVE,
  /** Nothing queued, deferred or in flight. */
  EXHAUSTED,
  /** The site does not want us, or the operator does not want it. */
  BLOCKED,
  /** The site cannot be reached. */
  UNREACHABLE
}
