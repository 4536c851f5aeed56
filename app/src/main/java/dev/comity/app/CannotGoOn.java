package dev.comity.app;

import dev.comity.core.engine.CrawlFailed;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreDamaged;
import dev.comity.store.StoreUnusable;
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
    if (cause != null && isKnown(cause)) {
      PrintWriter err = command.getErr();
      err.println("comity: " + Visible.text(String.valueOf(cause.getMessage())));
      err.flush();
      return Exit.FAILED;
    }
    throw failed;
  }

  private static boolean isKnown(Throwable cause) {
    return cause instanceof UncheckedIOException
        || cause instanceof StoreUnusable
        || cause instanceof StoreDamaged
        || cause instanceof DirectoryInUse;
  }
}
