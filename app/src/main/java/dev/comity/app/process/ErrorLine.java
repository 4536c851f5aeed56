package dev.comity.app.process;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.port.fetch.ExchangeArchive.ArchiveFailed;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.util.Printable;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreDamaged;
import dev.comity.store.StoreUnusable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Ends a command with one line when a setting is wrong, the disk is full or the reader of its
 * output has gone. An error that should never happen keeps its stack trace, so that it can be
 * traced.
 */
public final class ErrorLine implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception failed, CommandLine command, ParseResult parsed)
      throws Exception {
    return said(failed, command);
  }

  /** Says what is wrong and answers how the command ends; throws what it has no line for. */
  public static <E extends Exception> int said(E failed, CommandLine command) throws E {
    if (failed instanceof WrongSetting) {
      return new WrongUsage()
          .handleParseException(
              new ParameterException(command, String.valueOf(failed.getMessage()), failed),
              new String[0]);
    }
    Throwable cause = failed instanceof CrawlFailed ? failed.getCause() : failed;
    if (cause != null && (isOfTheDisk(cause) || isOfTheStore(cause))) {
      PrintWriter err = command.getErr();
      err.println("comity: " + Printable.text(String.valueOf(cause.getMessage())));
      err.flush();
      return isOfTheStore(cause) ? Exit.NO_STORE : Exit.FAILED;
    }
    throw failed;
  }

  private static boolean isOfTheDisk(Throwable cause) {
    return cause instanceof UncheckedIOException || cause instanceof ArchiveFailed;
  }

  private static boolean isOfTheStore(Throwable cause) {
    return cause instanceof StoreUnusable
        || cause instanceof StoreDamaged
        || cause instanceof RunInUse
        || cause instanceof DirectoryInUse;
  }
}
