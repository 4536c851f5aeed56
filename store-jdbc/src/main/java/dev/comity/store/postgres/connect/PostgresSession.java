package dev.comity.store.postgres.connect;

import dev.comity.store.SqlDialect;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Statements;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A connection with its statements. One thread at a time uses it. */
public final class PostgresSession implements AutoCloseable {
  public final Statements sql;

  /** Changes of rows that wait until {@link BatchedUpdates#write} sends them together. */
  public final BatchedUpdates later;

  private final Connection connection;
  private final PostgresDatabase database;
  private long now;

  public PostgresSession(PostgresDatabase database) throws SQLException {
    this.database = database;
    connection = database.connect();
    sql = new Statements(connection, SqlDialect.POSTGRES);
    later = new BatchedUpdates(connection);
  }

  /**
   * Plans each statement once, for any key. A worker's statements go by keys, and its tables grow
   * from nothing: a plan for an empty table reads a full one whole.
   */
  PostgresSession byKeys() {
    sql.execute("SET plan_cache_mode = force_generic_plan");
    sql.execute("SET enable_seqscan = off");
    // Where no index serves, the price of a plan says nothing.
    sql.execute("SET jit = off");
    return this;
  }

  /** Begins a transaction. */
  public void begin() throws SQLException {
    later.clear();
    if (connection.getAutoCommit()) {
      connection.setAutoCommit(false);
    }
    setTime();
  }

  /** Begins to read: each statement by itself. */
  public void beginReading() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.setAutoCommit(true);
    }
    setTime();
  }

  private void setTime() {
    database
        .clock()
        .ifPresent(
            clock -> sql.exists("SELECT set_config('comity.time', ?, false)", "" + clock.millis()));
  }

  /**
   * Runs a transaction. One that meets another in a circle of locks is made again, so the work may
   * run several times.
   */
  public <T> T write(Function<PostgresSession, T> work) {
    for (int conflicts = 0; ; conflicts++) {
      boolean done = false;
      try {
        begin();
        at(sql.number("SELECT comity_millis()"));
        T result = work.apply(this);
        later.write();
        commit();
        done = true;
        return result;
      } catch (StoreUnusable failed) {
        throwUnlessConflict(failed, conflicts);
      } catch (SQLException failed) {
        throwUnlessConflict(PostgresDatabase.unusable("the database says", failed), conflicts);
      } finally {
        if (!done) {
          rollBack();
        }
      }
    }
  }

  private static void throwUnlessConflict(StoreUnusable failed, int before) {
    if (!OutageWait.isConflict(failed) || before == WriteLane.MOST_CONFLICTS) {
      throw failed;
    }
  }

  /** The time of the present transaction, by the database. */
  public long now() {
    return now;
  }

  public void at(long time) {
    now = time;
  }

  public void commit() throws SQLException {
    connection.commit();
  }

  /** Undoes the transaction; false if the connection cannot be used any more. */
  public boolean rollBack() {
    later.clear();
    try {
      connection.rollback();
      return connection.isValid(1);
    } catch (SQLException _) {
      return false;
    }
  }

  /** The number of the server's process for this connection. */
  public long process() {
    return sql.number("SELECT pg_backend_pid()");
  }

  public Array longs(Collection<Long> values) {
    return array("bigint", values.toArray());
  }

  public Array numbers(List<? extends @Nullable Object> values) {
    return array("bigint", values.toArray());
  }

  public Array texts(Collection<? extends @Nullable Object> values) {
    return array("text", values.toArray());
  }

  public Array hashes(List<UUID> values) {
    return array("uuid", values.toArray());
  }

  public Array bytes(List<? extends byte @Nullable []> values) {
    return array("bytea", values.toArray(new byte[0][]));
  }

  private Array array(String type, @Nullable Object[] values) {
    try {
      return connection.createArrayOf(type, values);
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("an array of " + type + " cannot be made", failed);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException _) {
      // The server ends it by itself.
    }
  }
}
