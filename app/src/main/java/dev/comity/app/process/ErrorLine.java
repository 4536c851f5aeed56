package dev.comity.app.process;

import dev.comity.app.text.Visible;
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
public final class ErrorLine implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception failed, CommandLine command, ParseResult parsed)
      throws Exception {
    return said(failed, command);
  }

  /** Says what is wrong and answers how the command ends; throws what it has no line for. */
  public static <E extends Exception> int said(E failed, CommandLine command) throws E {
    Throwable cause = failed instanceof CrawlFailed ? failed.getCause() : failed;
    if (cause != null && (cause instanceof UncheckedIOException || isOfTheStore(cause))) {
      PrintWriter err = command.getErr();
      err.println("comity: " + Visible.text(String.valueOf(cause.getMessage())));
      err.flush();
      return isOfTheStore(cause) ? Exit.NO_STORE : Exit.FAILED;
    }
    throw failed;
  }

  private static boolean isOfTheStore(Throwable cause) {
    return cause instanceof StoreUnusable
        || cause instanceof StoreDamaged
        || cause instanceof DirectoryInUse;
  }
}
