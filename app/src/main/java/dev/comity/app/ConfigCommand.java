package dev.comity.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comity config}: what a crawl started here and now would go by, and why. */
@Command(
    name = "config",
    description = {
      "Show every setting: its value, where that comes from, and what it means.",
      "",
      "A flag goes before the environment, that before the file, that before what is built in. A"
          + " setting max-pages is --max-pages as a flag, COMITY_MAX_PAGES in the environment and"
          + " `max-pages: 500` in comity.yaml. Every flag of `comity crawl` that is a setting is"
          + " taken here, too."
    })
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private SettingOptions options = new SettingOptions();

  @Option(names = "--json", description = "Answer in JSON, one object a line.")
  private boolean json;

  /** How wide a page of text is where no terminal says otherwise. */
  private static final int USUAL_COLUMNS = 80;

  private static final String INDENT = "    ";

  /** A setting as it is shown. */
  private record Shown(
      String name, List<String> values, Origin origin, String variable, String meaning) {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Configuration told = Configuration.NONE;
    try {
      told = Configuration.of(spec);
      told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
      // What a crawl would refuse is refused here, too.
      options.settings(told);
      options.way.passage();
      options.way.overrides();
    } catch (WrongSetting wrong) {
      throw new ParameterException(
          spec.commandLine(), told.located(String.valueOf(wrong.getMessage())), wrong);
    }
    List<Shown> all = all(told);
    if (json) {
      all.forEach(one -> out.println(JsonLines.line(fields(one))));
    } else {
      int columns = Terminal.columns() == 0 ? USUAL_COLUMNS : Terminal.columns();
      all.forEach(one -> lines(one, columns).forEach(out::println));
    }
    out.flush();
    return Exit.DONE;
  }

  /**
   * What a crawl started here without a flag would go by. Another command asks this one, which has
   * every setting.
   *
   * @throws WrongSetting if it would be refused
   */
  static Settings settings(CommandSpec asking) {
    CommandLine config = Objects.requireNonNull(asking.root().subcommands().get("config"));
    Path file = asking.commandLine().getParseResult().matchedOptionValue("--config", (Path) null);
    config.parseArgs(file == null ? new String[0] : new String[] {"--config", file.toString()});
    ConfigCommand command = config.getCommand();
    Configuration told = Configuration.of(config.getCommandSpec());
    try {
      return command.options.settings(told);
    } catch (WrongSetting wrong) {
      throw new WrongSetting(told.located(String.valueOf(wrong.getMessage())));
    }
  }

  private List<Shown> all(Configuration told) {
    Map<String, Shown> all = new TreeMap<>();
    Configuration.settings(spec)
        .forEach(
            (name, option) -> {
              List<String> values =
                  SettingValue.written(option, option.getValue()).stream()
                      .map(value -> Masked.text(name, value))
                      .toList();
              Origin origin = told.origins().getOrDefault(name, new Origin.Usual());
              all.put(
                  name, new Shown(name, values, origin, Variables.nameOf(name), meaning(option)));
            });
    told.domains()
        .told()
        .forEach(
            (domain, said) ->
                said.forEach(
                    (key, value) -> {
                      String name = "domains." + domain + "." + key;
                      all.put(
                          name,
                          new Shown(
                              name,
                              value.values(),
                              value.origin(),
                              "",
                              key + " for this domain alone"));
                    }));
    return List.copyOf(all.values());
  }

  private static String meaning(OptionSpec option) {
    return String.join(" ", option.description()).replaceAll("\\s*\\(default: [^)]*\\)", "");
  }

  /** A line with name, value and origin, and the meaning below it. */
  private static List<String> lines(Shown one, int columns) {
    String values = one.values().isEmpty() ? "unset" : String.join(" ", one.values());
    String first = Visible.text("%s: %s (%s)".formatted(one.name(), values, one.origin().words()));
    List<String> lines = new ArrayList<>(Cells.wrapped(first, columns, "", INDENT));
    lines.addAll(Cells.wrapped(Visible.text(one.meaning()), columns, INDENT, INDENT));
    return lines;
  }

  private static Fields fields(Shown one) {
    Fields fields = Fields.none().and("name", one.name());
    Fields valued =
        switch (one.values().size()) {
          case 0 -> fields;
          case 1 -> fields.and("value", one.values().getFirst());
          default -> fields.and("value", one.values());
        };
    Fields origin = valued.and("from", one.origin().words());
    return (one.variable().isEmpty() ? origin : origin.and("environment", one.variable()))
        .and("meaning", one.meaning());
  }
}
