package dev.comity.app.settings;

import java.util.List;

/**
 * Settings that the example file and {@code comity config} show together. An option is a setting
 * when it is named here: then a file and the environment can set it too.
 *
 * @param settings their names, in the order they are shown in
 */
public record SettingGroup(String title, List<String> settings) {
  /** Not an option: only a file can set it. */
  static final SettingGroup DOMAINS = of("single domains", SettingsFile.DOMAINS);

  public static final List<SettingGroup> ALL =
      List.of(
          of("contact", "contact user-agent purpose"),
          of(
              "scope and pace",
              """
              delay concurrency max-pages max-pages-per-domain per-domain-budget max-depth max-time
              scope include exclude drop-params sitemaps images strip-subdomains smart-scheduling
              barren-pages refresh
              """),
          of(
              "input and output",
              "seeds allow-private data db ephemeral out text log-format metrics"),
          of(
              "network",
              "resolve proxy user header insecure connect-timeout total-timeout page-limit"),
          of(
              "refusals and failures",
              """
              retries close-after job-fails-after cooldown probe learning-cap
              refusals-cancel-after latency-factor
              """),
          of("limits of this machine", "max-in-flight max-claims max-rate max-unfinished lease"),
          DOMAINS);

  private static SettingGroup of(String title, String settings) {
    return new SettingGroup(title, List.of(settings.strip().split("\\s+", -1)));
  }

  /** The names of all settings that are options. */
  public static List<String> options() {
    return ALL.stream()
        .filter(group -> !group.equals(DOMAINS))
        .flatMap(group -> group.settings.stream())
        .toList();
  }
}
