package dev.comity.app.settings;

import java.util.List;

/**
 * Settings that are shown together, by the example file and {@code comity config}. An option is a
 * setting when its name stands here: then it can be said in a file and in the environment, too.
 *
 * @param settings their names, in the order they are shown in
 */
public record SettingGroup(String title, List<String> settings) {
  /** Not an option: only a file can say it. */
  static final SettingGroup DOMAINS = of("single domains", SettingsFile.DOMAINS);

  public static final List<SettingGroup> ALL =
      List.of(
          of("contact", "contact"),
          of(
              "how far, how fast",
              """
              delay concurrency max-pages max-pages-per-domain per-domain-budget max-depth max-time
              scope include exclude sitemaps strip-subdomains smart-scheduling barren-pages
              """),
          of(
              "where from, where to",
              "seeds allow-private data ephemeral out text log-format metrics"),
          of(
              "how requests leave",
              "resolve proxy user header insecure connect-timeout total-timeout page-limit"),
          of(
              "when sites refuse or fail",
              """
              retries close-after job-fails-after cooldown probe learning-cap
              refusals-cancel-after latency-factor
              """),
          of("what the machine carries", "max-in-flight max-rate max-unfinished lease"),
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
