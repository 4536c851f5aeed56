package dev.comity.app.settings;

import dev.comity.app.text.Booleans;
import dev.comity.store.StoreSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The switches of the environment. All are on unless a variable says otherwise. Most combinations
 * work; {@link #refusal} has the reason for those that do not.
 *
 * @param tracking {@code ENABLE_DOMAIN_TRACKING}; off: nothing is kept
 * @param budget {@code ENABLE_PER_DOMAIN_BUDGET}; off: the page limit of the run alone
 * @param scheduling {@code ENABLE_SMART_SCHEDULING}; off: domains in the order of the seeds
 * @param claims {@code ENABLE_CLAIM_PROTOCOL}; off: this process has its store alone
 * @param refresh {@code ENABLE_REFRESH_MODE}; off: no known page is visited again
 */
public record FeatureFlags(
    boolean tracking, boolean budget, boolean scheduling, boolean claims, boolean refresh) {
  private static final String TRACKING = "ENABLE_DOMAIN_TRACKING";
  private static final String BUDGET = "ENABLE_PER_DOMAIN_BUDGET";
  private static final String SCHEDULING = "ENABLE_SMART_SCHEDULING";
  private static final String CLAIMS = StoreSettings.CLAIMS;
  private static final String REFRESH = "ENABLE_REFRESH_MODE";

  /** What a command is about to do. */
  public enum Work {
    CRAWL,
    WORKER,
    REFRESH
  }

  /**
   * What the environment says, and the options of a command that set the same.
   *
   * @throws WrongSetting if a variable is neither true nor false
   */
  static FeatureFlags of(CommandSpec command) {
    Map<String, String> environment = Environment.of(command).environment();
    Optional<Boolean> ephemeral = option(command, "--ephemeral");
    return new FeatureFlags(
        ephemeral.map(nothing -> !nothing).orElseGet(() -> read(environment, TRACKING)),
        option(command, "--per-domain-budget").orElseGet(() -> read(environment, BUDGET)),
        option(command, "--smart-scheduling").orElseGet(() -> read(environment, SCHEDULING)),
        read(environment, CLAIMS),
        read(environment, REFRESH));
  }

  private static Optional<Boolean> option(CommandSpec command, String name) {
    OptionSpec option = command.findOption(name);
    return option == null || !(option.getValue() instanceof Boolean told)
        ? Optional.empty()
        : Optional.of(told);
  }

  private static boolean read(Map<String, String> environment, String name) {
    String text = environment.getOrDefault(name, "");
    return text.isBlank()
        || Booleans.read(text)
            .orElseThrow(
                () -> new WrongSetting(name + " is neither true nor false; write one of the two"));
  }

  /** The names of those that are off. */
  public List<String> off() {
    List<String> off = new ArrayList<>();
    add(off, tracking, TRACKING);
    add(off, budget, BUDGET);
    add(off, scheduling, SCHEDULING);
    add(off, claims, CLAIMS);
    add(off, refresh, REFRESH);
    return off;
  }

  private static void add(List<String> off, boolean on, String name) {
    if (!on) {
      off.add(name);
    }
  }

  /**
   * Why this work cannot begin with these switches; empty if it can.
   *
   * @param server whether everything is kept in a database, where other workers may join
   */
  public Optional<String> refusal(Work work, boolean server) {
    if (work == Work.WORKER && !server) {
      return Optional.of(
          "db is not set: name the database of the run with --db postgresql://user@host:5432/name,"
              + " or in COMITY_DB");
    }
    if (work == Work.REFRESH && !refresh) {
      return Optional.of(
          REFRESH + " is off, so that no known page is visited again: set it to true");
    }
    if (work == Work.REFRESH && !claims) {
      return Optional.of(
          "a refresh claims exhausted domains, and " + CLAIMS + " is off: set it to true");
    }
    if (work == Work.REFRESH && !tracking) {
      return Optional.of(
          "a refresh needs pages that are kept, and nothing is: leave --ephemeral out, and set "
              + TRACKING
              + " to true");
    }
    if (work == Work.WORKER && !tracking) {
      return Optional.of(
          "a worker shares what is kept, and " + TRACKING + " is off: set it to true");
    }
    if (server && tracking && claims && !scheduling) {
      return Optional.of(
          SCHEDULING
              + " is off, and workers that share a database claim by priority: set it to true, or "
              + CLAIMS
              + " to false, so that this process has the database alone");
    }
    return Optional.empty();
  }
}
