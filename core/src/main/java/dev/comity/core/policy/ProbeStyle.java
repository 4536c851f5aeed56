package dev.comity.core.policy;

/** How a shorter delay is looked for once the present one has held. */
public enum ProbeStyle {
  /** Halfway between what was refused and what holds, and back to what was refused now and then. */
  MIDPOINT,
  /** One step at a time, never again below a delay whose probe was refused. */
  STEP
}
