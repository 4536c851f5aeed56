package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A few connections to read with. A crawl's read waits while the server is away. */
public final class ReadSessions implements AutoCloseable {
  private static final int MOST = 3;

  private final PostgresDatabase database;
  private final OutageWait outage;
  private final boolean byKeys;
  private final Semaphore permits = new Semaphore(MOST);
  private final Deque<PostgresSession> idle = new ArrayDeque<>();

  private ReadSessions(PostgresDatabase database, OutageWait outage, boolean byKeys) {
    this.database = database;
    this.outage = outage;
    this.byKeys = byKeys;
  }

  /** Sessions of a worker, which wait with the store's other connections. */
  public ReadSessions(PostgresDatabase database, OutageWait outage) {
    this(database, outage, true);
  }

  /** Sessions for people, to whom a failure is told at once. */
  public ReadSessions(PostgresDatabase database) {
    this(database, new OutageWait(_ -> {}), false);
    outage.hurry();
  }

  public OutageWait outage() {
    return outage;
  }

  public <T> T read(Function<Statements, T> work) {
    return use(session -> work.apply(session.sql));
  }

  /** Reads with arrays as parameters. */
  public <T> T use(Function<PostgresSession, T> work) {
    permits.acquireUninterruptibly();
    try (OutageWait.Tries tries = outage.tries()) {
      while (true) {
        @Nullable PostgresSession kept = poll();
        try {
          return attempt(kept == null ? open() : kept, work);
        } catch (StoreUnusable failed) {
          if (kept != null) {
            // The server may have closed it since. A fresh one shows what is wrong.
            continue;
          }
          tries.pauseOrThrow(failed);
        }
      }
    } finally {
      permits.release();
    }
  }

  /** A session that failed is not used again. */
  private <T> T attempt(PostgresSession session, Function<PostgresSession, T> work) {
    boolean sound = false;
    try {
      session.beginReading();
      T result = work.apply(session);
      sound = true;
      return result;
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("the database says", failed);
    } finally {
      if (sound) {
        push(session);
      } else {
        session.close();
      }
    }
  }

  private PostgresSession open() {
    try {
      PostgresSession session = new PostgresSession(database);
      return byKeys ? session.byKeys() : session;
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
