package dev.comity.app.settings;

import dev.comity.core.util.Printable;
import dev.comity.store.report.NearestNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The settings that environment variables set, and notices about variables without effect. An empty
 * variable counts as unset.
 */
public record Variables(Map<String, RawValue> settings, List<String> notices) {
  private static final String PREFIX = "COMITY_";

  /** Variables of the launcher, and of the settings file. */
  private static final Set<String> OTHERS =
      Set.of(
          "COMITY_JAVA_HOME",
          "COMITY_JAVA_PLACES",
          "COMITY_OPTS",
          "COMITY_AOT",
          SettingsFile.VARIABLE);

  /** All variables that set a setting, our own first. */
  static List<String> namesOf(String setting) {
    return Stream.concat(
            Stream.of(nameOf(setting)),
            EnvironmentAliases.ALIASES.stream()
                .filter(alias -> alias.setting().equals(setting))
                .map(EnvironmentAliases.Alias::variable))
        .toList();
  }

  /** The variable that sets a setting. */
  public static String nameOf(String setting) {
    return PREFIX + setting.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /**
   * @param known the names of all settings
   * @throws WrongSetting if a variable sets what is no setting any more
   */
  static Variables read(Map<String, String> environment, Set<String> known) {
    Map<String, String> said = new TreeMap<>(environment);
    said.values().removeIf(String::isBlank);
    for (String name : GoneSettings.names()) {
      if (said.containsKey(nameOf(name))) {
        Configuration.requireKnown(name, SettingOrigin.variable(nameOf(name)), known);
      }
    }
    Map<String, RawValue> settings = new LinkedHashMap<>();
    for (EnvironmentAliases.Alias alias : EnvironmentAliases.ALIASES) {
      String text = said.get(alias.variable());
      String ours = text == null ? "" : alias.ours().apply(text);
      if (!ours.isEmpty()) {
        settings.put(alias.setting(), RawValue.one(ours, SettingOrigin.variable(alias.variable())));
      }
    }
    for (String setting : known) {
      String text = said.get(nameOf(setting));
      if (text != null) {
        settings.put(setting, raw(text, SettingOrigin.variable(nameOf(setting))));
      }
    }
    return new Variables(settings, notices(said, known));
  }

  /** Several values are written one per line. */
  private static RawValue raw(String text, SettingOrigin origin) {
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    return new RawValue(lines, lines.size() > 1, origin);
  }

  private static List<String> notices(Map<String, String> said, Set<String> known) {
    List<String> notices = new ArrayList<>();
    for (String name : said.keySet()) {
      boolean unknown =
          known.stream().noneMatch(setting -> nameOf(setting).equals(name))
              && !OTHERS.contains(name);
      if (name.startsWith(PREFIX) && unknown) {
        NearestNames nearest = new NearestNames(name, 1);
        known.forEach(setting -> nearest.offer(nameOf(setting)));
        notices.add(
            "%s has no effect: no such setting%s"
                .formatted(
                    Printable.text(name),
                    nearest.names().stream()
                        .findFirst()
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("")));
      }
    }
    return notices;
  }
}
