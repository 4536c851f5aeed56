package dev.comity.app.settings;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a command finds around it.
 *
 * @param environment the environment's variables
 * @param directory where it was started
 */
public record Environment(Map<String, String> environment, Path directory) {

  /** A command line with an environment of its own. */
  public interface Given {
    Environment environment();
  }

  /** Those of this process. */
  public static Environment ours() {
    return new Environment(System.getenv(), Path.of(""));
  }

  /** Those a command was started in. */
  static Environment of(CommandSpec command) {
    return command.root().userObject() instanceof Given root ? root.environment() : ours();
  }
}
