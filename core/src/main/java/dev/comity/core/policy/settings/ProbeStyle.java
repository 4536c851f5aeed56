package dev.comity.core.policy.settings;

/** How a shorter delay is looked for once the present one has held. */
public enum ProbeStyle {
  /** Between what was refused and what was served, and what was refused again now and then. */
  MIDPOINT,
  /** One step at a time, never again below where a refused probe came from. */
  STEP
}
