package dev.comity.app.command;

import dev.comity.app.output.JsonLines;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands that look into a data directory have in common. */
final class DataCommand {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private DataOption data = new DataOption();

  @Option(names = "--json", description = "Answer in JSON, one object a line.")
  private boolean json;

  /** A command's work: it answers, and says with which code the process ends. */
  interface Work {
    int answer(DataOption data);
  }

  /** Does the work; a setting that makes no sense is answered as a wrong command line is. */
  int answer(Work work) {
    try {
      Configuration.ofData(command);
      return work.answer(data);
    } catch (WrongSetting wrong) {
      throw new ParameterException(command.commandLine(), wrong.getMessage(), wrong);
    } finally {
      out().flush();
    }
  }

  /** What a crawl started here would go by. */
  Settings settings() {
    return ConfigCommand.settings(command);
  }

  boolean inJson() {
    return json;
  }

  void say(Fields fields) {
    out().println(JsonLines.line(fields));
  }

  void say(String line) {
    out().println(line);
  }

  void say(List<String> lines) {
    lines.forEach(this::say);
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Refuses a bound that leaves nothing to show. */
  static void requirePositive(String name, int limit) {
    if (limit < 1) {
      throw new WrongSetting(name + " is " + limit + ", but must be at least 1");
    }
  }
}
