package dev.comity.app.settings;

import dev.comity.app.text.Booleans;
import java.util.Map;
import java.util.Optional;

/**
 * The switches of the environment. All are on unless a variable says otherwise. Most combinations
 * work; {@link #refusal} has the reason for those that do not.
 *
 * @param tracking {@code ENABLE_DOMAIN_TRACKING}; off: nothing is kept
 * @param budget {@code ENABLE_PER_DOMAIN_BUDGET}; off: the page limit of the run alone
 * @param scheduling {@code ENABLE_SMART_SCHEDULING}; off: domains in the order of the seeds
 * @param claims {@code ENABLE_CLAIM_PROTOCOL}; off: one process alone
 * @param refresh {@code ENABLE_REFRESH_MODE}; off: no known page is visited again
 */
public record FeatureFlags(
    boolean tracking, boolean budget, boolean scheduling, boolean claims, boolean refresh) {
  private static final String TRACKING = "ENABLE_DOMAIN_TRACKING";
  static final String CLAIMS = "ENABLE_CLAIM_PROTOCOL";
  static final String REFRESH = "ENABLE_REFRESH_MODE";

  /** What a command is about to do. */
  public enum Work {
    CRAWL,
    WORKER,
    REFRESH
  }

  /**
   * What the environment says, where options have said the rest.
   *
   * @throws WrongSetting if a variable is neither true nor false
   */
  public static FeatureFlags of(
      Map<String, String> environment, boolean tracking, boolean budget, boolean scheduling) {
    return new FeatureFlags(
        tracking && read(environment, TRACKING),
        budget,
        scheduling,
        read(environment, CLAIMS),
        read(environment, REFRESH));
  }

  private static boolean read(Map<String, String> environment, String name) {
    String text = environment.getOrDefault(name, "");
    return text.isBlank()
        || Booleans.read(text)
            .orElseThrow(
                () -> new WrongSetting(name + " is neither true nor false; write one of the two"));
  }

  /**
   * Why this work cannot begin with these switches; empty if it can.
   *
   * @param server whether everything is kept on a server, where other workers may join
   */
  public Optional<String> refusal(Work work, boolean server) {
    if (work == Work.REFRESH && !refresh) {
      return Optional.of(
          REFRESH + " is off, so that no known page is visited again: set it to true");
    }
    if (work == Work.REFRESH && !claims) {
      return Optional.of(
          "a refresh claims exhausted domains, and " + CLAIMS + " is off: set it to true");
    }
    if (work == Work.WORKER && !tracking) {
      return Optional.of(
          "a worker shares what is kept, and " + TRACKING + " is off: set it to true");
    }
    boolean shared = server && tracking;
    if (shared && !claims) {
      return Optional.of(
          CLAIMS
              + " is off, so that this process would ignore the claims of other workers: set it to"
              + " true, or use a data directory, which one process has");
    }
    if (shared && !scheduling) {
      return Optional.of(
          "smart-scheduling is off, and workers that share a run claim by priority: set it to true,"
              + " or use a data directory");
    }
    return Optional.empty();
  }
}
