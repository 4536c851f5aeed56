package dev.comity.app;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Answers a command line that makes no sense: what is wrong, what was perhaps meant, where to read
 * on. The whole help would push the one line that matters off the screen. Never coloured, because
 * standard error may go to a file while standard output is a terminal.
 */
final class WrongUsage implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("comity: " + wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
