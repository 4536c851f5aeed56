package dev.comity.app.process;

import dev.comity.app.settings.GoneSettings;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Answers an invalid command line: what is wrong, what was perhaps meant, where to read on. The
 * whole help would push the one line that matters off the screen. Never coloured, because standard
 * error may go to a file while standard output is a terminal.
 */
public final class WrongUsage implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    Optional<String> gone = gone(wrong);
    err.println("comity: " + gone.orElse(wrong.getMessage()));
    if (gone.isEmpty()) {
      UnmatchedArgumentException.printSuggestions(wrong, err);
    }
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** What to say of a flag that is no setting any more. */
  private static Optional<String> gone(ParameterException wrong) {
    return wrong instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().stream()
            .filter(argument -> argument.startsWith("--"))
            .flatMap(
                argument -> GoneSettings.words(argument.substring(2).split("=", 2)[0]).stream())
            .findFirst()
        : Optional.empty();
  }
}
