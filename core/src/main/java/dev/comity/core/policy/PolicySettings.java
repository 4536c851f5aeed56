package dev.comity.core.policy;

/** Every number the policy uses, grouped by the rules that read it. */
public record PolicySettings(
    PaceSettings pace,
    LearningSettings learning,
    FailureSettings failures,
    CooldownSettings cooldowns,
    LatencySettings latency,
    OutageGuard.Settings outages) {

  /** What holds unless something else is set. */
  public static final PolicySettings DEFAULTS =
      new PolicySettings(
          PaceSettings.DEFAULTS,
          LearningSettings.DEFAULTS,
          FailureSettings.DEFAULTS,
          CooldownSettings.DEFAULTS,
          LatencySettings.DEFAULTS,
          OutageGuard.Settings.DEFAULTS);

  /** These settings with another pace. */
  public PolicySettings with(PaceSettings other) {
    return new PolicySettings(other, learning, failures, cooldowns, latency, outages);
  }

  /** These settings with another way of learning. */
  public PolicySettings with(LearningSettings other) {
    return new PolicySettings(pace, other, failures, cooldowns, latency, outages);
  }

  /** These settings with other failure thresholds. */
  public PolicySettings with(FailureSettings other) {
    return new PolicySettings(pace, learning, other, cooldowns, latency, outages);
  }

  /** These settings with other cooldowns. */
  public PolicySettings with(CooldownSettings other) {
    return new PolicySettings(pace, learning, failures, other, latency, outages);
  }

  /** These settings with another reading of latency. */
  public PolicySettings with(LatencySettings other) {
    return new PolicySettings(pace, learning, failures, cooldowns, other, outages);
  }

  /** These settings with another sense for our own outages. */
  public PolicySettings with(OutageGuard.Settings other) {
    return new PolicySettings(pace, learning, failures, cooldowns, latency, other);
  }
}
