package dev.comity.app.settings;

import dev.comity.app.text.Booleans;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Variables of other crawlers that set settings of ours, and variables for features that do not
 * exist yet.
 */
final class EnvironmentAliases {
  private EnvironmentAliases() {}

  /**
   * @param setting ours
   * @param ours says in our words what the variable says
   */
  record Alias(String variable, String setting, UnaryOperator<String> ours) {}

  static final List<Alias> ALIASES =
      List.of(
          new Alias("ENABLE_DOMAIN_TRACKING", "ephemeral", EnvironmentAliases::opposite),
          new Alias("ENABLE_PER_DOMAIN_BUDGET", "per-domain-budget", UnaryOperator.identity()),
          new Alias("ENABLE_SMART_SCHEDULING", "smart-scheduling", UnaryOperator.identity()),
          new Alias(
              "DOMAIN_CANONICALIZATION_STRIP_SUBDOMAINS",
              "strip-subdomains",
              UnaryOperator.identity()),
          new Alias("BBB_JOB_FAILURE_THRESHOLD", "job-fails-after", UnaryOperator.identity()),
          new Alias("DEFAULT_MIN_SCRAPE_INTERVAL", "delay", EnvironmentAliases::orNone));

  /** Variables without an effect yet, and what holds now. */
  static final Map<String, String> NOT_YET =
      Map.of(
          "ENABLE_CLAIM_PROTOCOL", "domains are always claimed",
          "ENABLE_REFRESH_MODE",
              "`comity refresh` is a command of its own, and nothing else visits known pages again",
          "DATABASE_URL", "everything is kept in the data directory");

  /** A text that is no boolean passes unchanged; the option reports it. */
  private static String opposite(String text) {
    return Booleans.read(text).map(truth -> String.valueOf(!truth)).orElse(text);
  }

  /** A negative interval means none there. */
  private static String orNone(String seconds) {
    return seconds.startsWith("-") ? "0" : seconds;
  }
}
