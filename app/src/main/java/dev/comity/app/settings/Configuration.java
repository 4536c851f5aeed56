package dev.comity.app.settings;

import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Printable;
import dev.comity.store.report.NearestNames;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * Fills the options that the command line did not set: from the environment, or else from the file.
 * An option that {@link SettingGroup} names is a setting and can be set in all three ways.
 *
 * @param origins where the value of each setting comes from
 * @param domains what the file says of single domains
 * @param notices what was said to no effect
 */
public record Configuration(
    Map<String, SettingOrigin> origins, DomainSettings domains, List<String> notices) {

  /** Whether something other than the default sets it. */
  public boolean isSet(String setting) {
    return !origins.getOrDefault(setting, SettingOrigin.DEFAULT).equals(SettingOrigin.DEFAULT);
  }

  /** What a complaint begins with. */
  private static final Pattern FIRST_WORD = Pattern.compile("[a-z][a-z0-9-]*");

  /**
   * For a command that takes all settings it has as options.
   *
   * @throws WrongSetting if the file, or a value in it or in the environment, is invalid
   */
  public static Configuration of(CommandSpec command) {
    return fill(command, _ -> true);
  }

  /** For a command that needs the data directory only. */
  public static Configuration ofData(CommandSpec command) {
    return fill(command, Set.of("data", "db")::contains);
  }

  /**
   * For a worker: what it may set by itself. The run sets the rest.
   *
   * @throws WrongSetting if the command line sets what is the run's
   */
  public static Configuration ofWorker(CommandSpec command) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      String name = nameOf(option);
      if (RunSettings.isTheRuns(name)) {
        throw new WrongSetting(
            "%s is set by the run, not by a worker: set it where `comity crawl --db` begins the run"
                .formatted(name));
      }
    }
    return fill(command, RunSettings.LOCAL::contains);
  }

  /** The same, with the settings of the run that is joined. */
  public Configuration joining(long run, RunSettings settings) {
    SettingOrigin origin = SettingOrigin.run(run);
    Map<String, SettingOrigin> all = new LinkedHashMap<>(origins);
    settings.values().keySet().forEach(name -> all.put(name, origin));
    return new Configuration(all, settings.domains(origin), notices);
  }

  /**
   * Refuses work that the switches of the environment do not allow.
   *
   * @return the switches that are off
   * @throws WrongSetting with the switch to set
   */
  public static List<String> requireFlags(
      CommandSpec command, FeatureFlags.Work work, boolean server) {
    FeatureFlags flags = FeatureFlags.of(command);
    flags
        .refusal(work, server)
        .ifPresent(
            why -> {
              throw new WrongSetting(why);
            });
    return flags.off();
  }

  /** Every setting that is an option, by name, as {@code comity config} has it. */
  static Map<String, OptionSpec> settings(CommandSpec command) {
    CommandSpec config =
        Objects.requireNonNull(command.root().subcommands().get("config")).getCommandSpec();
    Map<String, OptionSpec> settings = new LinkedHashMap<>();
    for (String name : SettingGroup.options()) {
      settings.put(name, Objects.requireNonNull(config.findOption("--" + name), name));
    }
    return settings;
  }

  static String nameOf(OptionSpec option) {
    return option.longestName().replaceFirst("^--", "");
  }

  private static Configuration fill(CommandSpec command, Predicate<String> wanted) {
    Environment around = Environment.of(command);
    Set<String> known = settings(command).keySet();
    var parsed = command.commandLine().getParseResult();
    Optional<Path> flag = Optional.ofNullable(parsed.matchedOptionValue("--config", (Path) null));
    SettingsFile file = SettingsFile.find(flag, around);
    file.settings().forEach((name, raw) -> requireKnown(name, raw.origin(), known));
    Variables variables = Variables.read(around.environment(), known);
    Map<String, SettingOrigin> origins = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      String name = nameOf(option);
      if (!known.contains(name) || !wanted.test(name)) {
        continue;
      }
      RawValue raw = variables.settings().getOrDefault(name, file.settings().get(name));
      if (parsed.hasMatchedOption(option)) {
        if (name.equals("db")) {
          DataOption.refusePassword(option.getValue());
        }
        origins.put(name, SettingOrigin.flag("--" + name));
      } else if (raw == null) {
        origins.put(name, SettingOrigin.DEFAULT);
      } else {
        set(option, name, raw);
        origins.put(name, raw.origin());
      }
    }
    return new Configuration(origins, DomainSettings.read(file.domains()), variables.notices());
  }

  private static void set(OptionSpec option, String name, RawValue raw) {
    try {
      option.setValue(SettingValue.read(option, raw));
    } catch (TypeConversionException wrong) {
      throw wrong(name + ": " + wrong.getMessage(), raw.origin());
    }
  }

  static void requireKnown(String name, SettingOrigin origin, Set<String> known) {
    GoneSettings.words(name)
        .ifPresent(
            gone -> {
              throw wrong(gone, origin);
            });
    if (!known.contains(name)) {
      throw wrong(unknown(name, known), origin);
    }
  }

  /** The error for a name that no setting has. */
  public static String unknown(String name, Collection<String> known) {
    NearestNames nearest = new NearestNames(name, 1);
    known.forEach(nearest::offer);
    return "no such setting: %s; %s"
        .formatted(
            name,
            nearest.names().stream()
                .findFirst()
                .map(near -> "did you mean " + near + "?")
                .orElse("`comity config` lists all there are"));
  }

  static WrongSetting wrong(String why, SettingOrigin origin) {
    return new WrongSetting(Printable.text("%s (%s)".formatted(why, origin.place())));
  }

  /** The same error with the place where that setting is set, unless that is the command line. */
  public WrongSetting located(WrongSetting wrong) {
    String complaint = String.valueOf(wrong.getMessage());
    Matcher first = FIRST_WORD.matcher(complaint);
    if (!first.lookingAt()) {
      return wrong;
    }
    String word = first.group();
    return place(word::equals)
        .or(() -> place(name -> name.endsWith("-" + word) || name.startsWith(word + "-")))
        .map(place -> new WrongSetting(complaint + " (" + place + ")"))
        .orElse(wrong);
  }

  private Optional<String> place(Predicate<String> meant) {
    return origins.entrySet().stream()
        .filter(one -> meant.test(one.getKey()) && !one.getValue().place().isEmpty())
        .map(one -> one.getValue().place())
        .findFirst();
  }

  /** What is set for single domains, for the crawl. */
  public Map<DomainName, DomainTerms> terms() {
    return domains.terms();
  }
}
