package dev.comity.store.postgres.connect;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A number that rises after every change by an operator: while it stays, no terms of domains need
 * to be read. It is the last number of the audit. An operator takes one more when its change is
 * committed, since a worker may have looked before. An operator that dies in between is heard with
 * the domain's next settlement.
 */
public final class AuditSignal {
  /** All requests within this time share a look. Some crawls ask thousands a second. */
  private static final long GOOD_FOR = TimeUnit.MILLISECONDS.toNanos(5);

  private final ReadSessions reading;
  private final boolean shared;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile @Nullable Look last;

  private record Look(long number, long at) {
    boolean isFresh() {
      return System.nanoTime() - at < GOOD_FOR;
    }
  }

  /**
   * @param shared whether a look may serve several requests; not where a test owns the time
   */
  public AuditSignal(ReadSessions reading, boolean shared) {
    this.reading = reading;
    this.shared = shared;
  }

  /** The number as it is now, or was a few milliseconds ago. */
  public long number() {
    Look known = last;
    if (known != null && shared && known.isFresh()) {
      return known.number();
    }
    looking.lock();
    try {
      known = last;
      if (known == null || !shared || !known.isFresh()) {
        long at = System.nanoTime();
        known =
            new Look(reading.read(sql -> sql.number("SELECT last_value FROM audit_id_seq")), at);
        last = known;
      }
      return known.number();
    } finally {
      looking.unlock();
    }
  }

  /** Tells all workers that a change is committed. */
  public static void raise(PostgresDatabase database) {
    try (PostgresSession session = database.session()) {
      session.sql.number("SELECT nextval('audit_id_seq')");
    }
  }
}
