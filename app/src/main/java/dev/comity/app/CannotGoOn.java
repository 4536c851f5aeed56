package dev.comity.app;

import dev.comity.core.engine.CrawlFailed;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Ends a command that its surroundings stopped, by a full disk or a reader that has gone, with one
 * line. What should never happen keeps its stack trace, for whoever has to find out.
 */
final class CannotGoOn implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception failed, CommandLine command, ParseResult parsed)
      throws Exception {
    Throwable cause = failed instanceof CrawlFailed ? failed.getCause() : failed;
    if (cause instanceof UncheckedIOException known) {
      PrintWriter err = command.getErr();
      err.println("comity: " + known.getMessage());
      err.flush();
      return Exit.FAILED;
    }
    throw failed;
  }
}
