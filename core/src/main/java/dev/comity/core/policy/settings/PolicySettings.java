package dev.comity.core.policy.settings;

/** What can be set of the policy, grouped by the rules that read it. */
public record PolicySettings(
    PaceSettings pace,
    LearningSettings learning,
    FailureSettings failures,
    CooldownSettings cooldowns) {

  /** What holds unless something else is set. */
  public static final PolicySettings DEFAULTS =
      new PolicySettings(
          PaceSettings.DEFAULTS,
          LearningSettings.DEFAULTS,
          FailureSettings.DEFAULTS,
          CooldownSettings.DEFAULTS);

  /** These settings with another pace. */
  public PolicySettings with(PaceSettings other) {
    return new PolicySettings(other, learning, failures, cooldowns);
  }

  /** These settings with another way of learning. */
  public PolicySettings with(LearningSettings other) {
    return new PolicySettings(pace, other, failures, cooldowns);
  }

  /** These settings with other failure thresholds. */
  public PolicySettings with(FailureSettings other) {
    return new PolicySettings(pace, learning, other, cooldowns);
  }

  /** These settings with other cooldowns. */
  public PolicySettings with(CooldownSettings other) {
    return new PolicySettings(pace, learning, failures, other);
  }
}
