package dev.comity.store.sql;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * One thread that reads. A native call holds the thread it is made in, so virtual threads, of which
 * many share a few, ask here and wait.
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
