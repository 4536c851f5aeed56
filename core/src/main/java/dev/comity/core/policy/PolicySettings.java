package dev.comity.core.policy;

/** Every number the policy uses, grouped by the rules that read it. */
public record PolicySettings(
    PaceSettings pace,
    LearningSettings learning,
    FailureSettings failures,
    CooldownSettings cooldowns,
    LatencySettings latency) {

  /** What holds unless something else is set. */
  public static final PolicySettings DEFAULTS =
      new PolicySettings(
          PaceSettings.DEFAULTS,
          LearningSettings.DEFAULTS,
          FailureSettings.DEFAULTS,
          CooldownSettings.DEFAULTS,
          LatencySettings.DEFAULTS);

  /** These settings with another pace. */
  public PolicySettings with(PaceSettings other) {
    return new PolicySettings(other, learning, failures, cooldowns, latency);
  }

  /** These settings with another way of learning. */
  public PolicySettings with(LearningSettings other) {
    return new PolicySettings(pace, other, failures, cooldowns, latency);
  }

  /** These settings with other failure thresholds. */
  public PolicySettings with(FailureSettings other) {
    return new PolicySettings(pace, learning, other, cooldowns, latency);
  }

  /** These settings with other cooldowns. */
  public PolicySettings with(CooldownSettings other) {
    return new PolicySettings(pace, learning, failures, other, latency);
  }

  /** These settings with another reading of latency. */
  public PolicySettings with(LatencySettings other) {
    return new PolicySettings(pace, learning, failures, cooldowns, other);
  }
}
