package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A few connections to read with. A read that fails with its connection is made once more. */
public final class ReadSessions implements AutoCloseable {
  private static final int MOST = 3;

  private final PostgresDatabase database;
  private final Semaphore permits = new Semaphore(MOST);
  private final Deque<PostgresSession> idle = new ArrayDeque<>();

  public ReadSessions(PostgresDatabase database) {
    this.database = database;
  }

  public <T> T read(Function<Statements, T> work) {
    return use(session -> work.apply(session.sql));
  }

  /** Reads with arrays as parameters. */
  public <T> T use(Function<PostgresSession, T> work) {
    permits.acquireUninterruptibly();
    try {
      @Nullable PostgresSession kept = poll();
      if (kept != null) {
        try {
          return attempt(kept, work);
        } catch (StoreUnusable _) {
          // The server may have closed it since. A fresh one shows what is wrong.
          kept.close();
        }
      }
      return attempt(open(), work);
    } finally {
      permits.release();
    }
  }

  private <T> T attempt(PostgresSession session, Function<PostgresSession, T> work) {
    try {
      session.beginReading();
      T result = work.apply(session);
      push(session);
      return result;
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("the database says", failed);
    }
  }

  private PostgresSession open() {
    try {
      return new PostgresSession(database);
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("the server cannot be reached", failed);
    }
  }

  private @Nullable PostgresSession poll() {
    synchronized (idle) {
      return idle.poll();
    }
  }

  private void push(PostgresSession session) {
    synchronized (idle) {
      idle.push(session);
    }
  }

  @Override
  public void close() {
    synchronized (idle) {
      idle.forEach(PostgresSession::close);
      idle.clear();
    }
  }
}
