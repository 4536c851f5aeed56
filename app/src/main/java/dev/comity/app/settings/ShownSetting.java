package dev.comity.app.settings;

import dev.comity.app.text.Cells;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import dev.comity.store.ServerDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A setting as {@code comity config} shows it.
 *
 * @param usual its default
 * @param flag with what stands after it; empty where no flag sets it
 * @param variables those of the environment that set it, our own first
 */
public record ShownSetting(
    SettingGroup group,
    String name,
    List<String> values,
    List<String> usual,
    SettingOrigin origin,
    String flag,
    List<String> variables,
    String meaning) {
  private static final String MASK = "***";
  private static final String INDENT = "    ";
  private static final String DOMAINS_MEANING =
      "What holds for single domains, by their names: delay, concurrency, max-pages-per-domain."
          + " Only a file can say it.";

  /** All there are, in the order of their groups. */
  public static List<ShownSetting> all(CommandSpec command, Configuration told) {
    Map<String, OptionSpec> options = Configuration.settings(command);
    List<ShownSetting> all = new ArrayList<>();
    for (SettingGroup group : SettingGroup.ALL) {
      for (String name : group.settings()) {
        if (options.containsKey(name)) {
          all.add(option(group, name, Objects.requireNonNull(options.get(name)), told));
        } else {
          all.addAll(domains(group, told));
        }
      }
    }
    return all;
  }

  private static ShownSetting option(
      SettingGroup group, String name, OptionSpec option, Configuration told) {
    return new ShownSetting(
        group,
        name,
        SettingValue.written(option, option.getValue()).stream()
            .map(value -> masked(name, value))
            .toList(),
        option.defaultValue() == null
            ? SettingValue.written(option, option.initialValue())
            : List.of(option.defaultValue()),
        told.origins().getOrDefault(name, SettingOrigin.DEFAULT),
        "--" + name + (option.arity().max() == 0 ? "" : " " + option.paramLabel()),
        Variables.namesOf(name),
        String.join(" ", option.description()).replaceAll("\\s*\\(default: [^)]*\\)", ""));
  }

  private static List<ShownSetting> domains(SettingGroup group, Configuration told) {
    List<ShownSetting> all = new ArrayList<>();
    told.domains()
        .told()
        .forEach(
            (domain, said) ->
                said.forEach(
                    (key, value) ->
                        all.add(
                            domain(
                                group,
                                SettingsFile.DOMAINS + "." + domain + "." + key,
                                value.values(),
                                value.origin(),
                                key + " for this domain alone"))));
    if (all.isEmpty()) {
      all.add(
          domain(group, SettingsFile.DOMAINS, List.of(), SettingOrigin.DEFAULT, DOMAINS_MEANING));
    }
    return all;
  }

  private static ShownSetting domain(
      SettingGroup group, String name, List<String> values, SettingOrigin origin, String meaning) {
    return new ShownSetting(group, name, values, List.of(), origin, "", List.of(), meaning);
  }

  /** Whether this is the name of it in a file, as a flag or in the environment. */
  public boolean isCalled(String other) {
    return other.equals(name)
        || other.equals("--" + name)
        || variables.contains(other)
        || (other.equals(SettingsFile.DOMAINS) && group.equals(SettingGroup.DOMAINS));
  }

  /** A line with name, value and origin, and the meaning below it. */
  public List<String> lines(int columns) {
    String first = Printable.text("%s: %s (%s)".formatted(name, written(values), origin.words()));
    List<String> lines = new ArrayList<>(Cells.wrapped(first, columns, "", INDENT));
    lines.addAll(Cells.wrapped(Printable.text(meaning), columns, INDENT, INDENT));
    return lines;
  }

  /** The same, and all the ways to set it. */
  public List<String> explanation(int columns) {
    List<String> lines = new ArrayList<>(lines(columns));
    lines.add(INDENT + "default:     " + written(usual));
    lines.add(INDENT + "in a file:   " + key());
    if (!flag.isEmpty()) {
      lines.add(INDENT + "as a flag:   " + flag);
      lines.add(INDENT + "environment: " + variables.getFirst());
      variables.stream().skip(1).forEach(alias -> lines.add(INDENT + "         or: " + alias));
    }
    return lines;
  }

  /** How it stands in a file. */
  private String key() {
    return group.equals(SettingGroup.DOMAINS)
        ? "domains: {example.org: {delay: 5s}}"
        : switch (values.size()) {
          case 0 -> name + ": ...";
          case 1 -> name + ": " + values.getFirst();
          default -> name + ": [" + String.join(", ", values) + "]";
        };
  }

  private static String written(List<String> values) {
    return values.isEmpty() ? "unset" : String.join(" ", values);
  }

  /** For a program to read. */
  public Fields fields() {
    Fields fields = Fields.none().and("name", name).and("group", group.title());
    with(fields, "value", values);
    with(fields, "default", usual);
    fields.and("from", origin.words());
    if (!flag.isEmpty()) {
      fields.and("flag", flag).and("environment", variables.getFirst());
    }
    if (variables.size() > 1) {
      fields.and("aliases", variables.subList(1, variables.size()));
    }
    return fields.and("meaning", meaning);
  }

  private static void with(Fields fields, String key, List<String> values) {
    if (!values.isEmpty()) {
      fields.and(key, values.size() == 1 ? values.getFirst() : values);
    }
  }

  /** The value without the secret in it. */
  private static String masked(String setting, String value) {
    return switch (setting) {
      case "user" -> upTo(value, value.indexOf('='));
      // What a header is called is no secret.
      case "header" -> upTo(value, value.indexOf(':', value.indexOf('=') + 1));
      case "proxy" -> proxy(value);
      case "db" -> database(value);
      default -> value;
    };
  }

  private static String database(String value) {
    try {
      return ServerDatabase.at(value).masked();
    } catch (IllegalArgumentException _) {
      return MASK;
    }
  }

  private static String upTo(String value, int last) {
    return last < 0 || value.indexOf('=') < 0 ? MASK : value.substring(0, last + 1) + MASK;
  }

  private static String proxy(String value) {
    int at = value.lastIndexOf('@');
    int scheme = value.indexOf("://");
    return at < 0
        ? value
        : (scheme < 0 ? "" : value.substring(0, scheme + 3)) + MASK + value.substring(at);
  }
}
