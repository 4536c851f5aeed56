package dev.comity.store.sql;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * One thread that reads. A native call pins the carrier of a virtual thread, so virtual threads
 * read through this thread and wait.
 */
public final class ReaderThread implements AutoCloseable {
  private final Statements statements;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("store reader").factory());

  public ReaderThread(Statements statements) {
    this.statements = statements;
  }

  public <T> T read(Function<Statements, T> reading) {
    try {
      return CompletableFuture.supplyAsync(() -> reading.apply(statements), thread).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
