package dev.comity.app.command;

import dev.comity.app.settings.WrongSetting;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Settings of a crawl that mean nothing to a command. Its help has none of them, and none may be
 * given as a flag. In a file of settings they stand for the crawls that use it, too.
 *
 * @param reasons why, by the names of the options
 */
record UnusedOptions(Map<String, String> reasons) {
  /** Takes them out of the help; called before anything is parsed. */
  void hide(CommandSpec command) {
    for (String name : reasons.keySet()) {
      OptionSpec shown = command.findOption(name);
      if (shown != null && !shown.hidden()) {
        command.remove(shown);
        command.addOption(OptionSpec.builder(shown).hidden(true).build());
      }
    }
  }

  /** Refuses a command line with one of them. */
  void refuse(CommandSpec command) {
    reasons.forEach(
        (name, reason) -> {
          if (command.commandLine().getParseResult().hasMatchedOption(name)) {
            throw new WrongSetting("%s is given, but %s; leave it out".formatted(name, reason));
          }
        });
  }
}
