package dev.comity.app.settings;

import dev.comity.app.text.Booleans;
import java.util.List;
import java.util.function.UnaryOperator;

/** Variables of other crawlers that set settings of ours. {@link FeatureFlags} has two more. */
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
          new Alias("DATABASE_URL", "db", EnvironmentAliases::orNoServer),
          new Alias("DEFAULT_MIN_SCRAPE_INTERVAL", "delay", EnvironmentAliases::orNone));

  /** A text that is no boolean passes unchanged; the option reports it. */
  private static String opposite(String text) {
    return Booleans.read(text).map(truth -> String.valueOf(!truth)).orElse(text);
  }

  /** Other programs keep addresses of other databases there. */
  private static String orNoServer(String address) {
    return address.startsWith("postgres") || address.startsWith("jdbc:postgresql:") ? address : "";
  }

  /** A negative interval means none there. */
  private static String orNone(String seconds) {
    return seconds.startsWith("-") ? "0" : seconds;
  }
}
