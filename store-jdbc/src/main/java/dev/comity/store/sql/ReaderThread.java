package dev.comity.store.sql;

import dev.comity.store.StoreUnusable;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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

  /** Something to read. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(Statements sql) throws SQLException;
  }

  public <T> T read(Reading<T> reading) {
    try {
      return CompletableFuture.supplyAsync(() -> now(reading), thread).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private <T> T now(Reading<T> reading) {
    try {
      return reading.read(statements);
    } catch (SQLException failed) {
      throw new StoreUnusable("the database cannot be read: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
