package dev.comity.app.command;

import dev.comity.app.output.JsonLines;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Terminal;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.GoneSettings;
import dev.comity.app.settings.SettingGroup;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.ShownSetting;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity config}: what a crawl started here and now would go by, and why. */
@Command(
    name = "config",
    description = {
      "Show every setting: its value, where that comes from, and what it means; or explain one.",
      "",
      "A flag goes before the environment, that before the file, that before what is built in. A"
          + " setting max-pages is --max-pages as a flag, COMITY_MAX_PAGES in the environment and"
          + " `max-pages: 500` in comity.yaml. Every flag of `comity crawl` that is a setting is"
          + " taken here, too."
    })
public final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Explain this setting alone.")
  private @Nullable String name;

  @Mixin private SettingOptions options = new SettingOptions();

  @Option(names = "--json", description = "Answer in JSON, one object a line.")
  private boolean json;

  /** How wide a page of text is where no terminal says otherwise. */
  private static final int USUAL_COLUMNS = 80;

  @Override
  public Integer call() {
    Configuration told = Configuration.of(spec);
    told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
    try {
      // What a crawl would refuse is refused here, too.
      options.settings(told);
      options.monitorOptions.check();
      options.egress.egress();
      options.egress.overrides();
      show(ShownSetting.all(spec, told));
    } catch (WrongSetting wrong) {
      throw told.located(wrong);
    }
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
      throw told.located(wrong);
    }
  }

  private void show(List<ShownSetting> all) {
    PrintWriter out = spec.commandLine().getOut();
    List<ShownSetting> wanted = name == null ? all : named(name, all);
    int columns = Terminal.columns() == 0 ? USUAL_COLUMNS : Terminal.columns();
    if (json) {
      wanted.forEach(one -> out.println(JsonLines.line(one.fields())));
    } else if (name == null) {
      grouped(wanted, columns).forEach(out::println);
    } else {
      wanted.forEach(one -> one.explanation(columns).forEach(out::println));
    }
    out.flush();
  }

  /** One setting, or those of the file for single domains, by any name it is known by. */
  private static List<ShownSetting> named(String name, List<ShownSetting> all) {
    List<ShownSetting> meant = all.stream().filter(one -> one.isCalled(name)).toList();
    if (meant.isEmpty()) {
      throw new WrongSetting(
          GoneSettings.words(name)
              .orElseGet(
                  () ->
                      Configuration.unknown(
                          Printable.text(name), all.stream().map(ShownSetting::name).toList())));
    }
    return meant;
  }

  private static List<String> grouped(List<ShownSetting> all, int columns) {
    List<String> lines = new ArrayList<>();
    for (SettingGroup group : SettingGroup.ALL) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add("--- " + group.title() + " ---");
      all.stream()
          .filter(one -> one.group().equals(group))
          .forEach(one -> lines.addAll(one.lines(columns)));
    }
    return lines;
  }
}
