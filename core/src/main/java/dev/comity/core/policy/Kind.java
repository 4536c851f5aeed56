package dev.comity.core.policy;

/** What a request is for. */
public enum Kind {
  PAGE,
  ROBOTS
}
