package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Statements;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  private static final int FULL = 3;

  @TempDir private Path home;

  /** How many checkpoints this connection was asked for. */
  private final Semaphore asked = new Semaphore(0);

  private final AtomicInteger failures = new AtomicInteger(FULL);

  @Test
  void a_full_disk_ends_no_checkpoints() throws Exception {
    DataDirectory directory = new DataDirectory(home);
    try (Statements writers = new Statements(directory.writing())) {
      writers.each("PRAGMA wal_autocheckpoint = 0", _ -> {});
      writers.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
      writers.update("INSERT INTO notes (text) VALUES (?)", "x".repeat(100_000));
      Statements own = new Statements(failing(directory.writing()));
      try (Checkpoints checkpoints = new Checkpoints(directory, own, writers, 5)) {
        checkpoints.start();
        assertThat(asked.tryAcquire(FULL + 1, 1, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).hasValueLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void a_checkpoint_that_the_writer_could_not_make_is_made_with_a_later_commit() throws Exception {
    DataDirectory directory = new DataDirectory(home);
    try (Statements writers = new Statements(failing(directory.writing()))) {
      Checkpoints checkpoints =
          new Checkpoints(directory, new Statements(directory.writing()), writers, 5);
      try (checkpoints) {
        for (int commit = 0; commit <= FULL; commit++) {
          checkpoints.wanted();
          checkpoints.committed();
        }
      }
    }
    assertThat(asked.availablePermits()).isEqualTo(FULL + 1);
  }

  /**
   * A connection whose first checkpoints fail, and whose failed statements cannot be used again.
   */
  private Connection failing(Connection inner) {
    return proxy(
        Connection.class,
        inner,
        (name, sql, result) ->
            name.equals("prepareStatement") && String.valueOf(sql).contains("(PASSIVE)")
                ? checkpoint(result)
                : result);
  }

  private PreparedStatement checkpoint(Object statement) {
    AtomicBoolean dead = new AtomicBoolean();
    return proxy(
        PreparedStatement.class,
        statement,
        (name, _, result) -> {
          if (name.equals("executeQuery")) {
            if (dead.get()) {
              throw new SQLException("the statement is closed");
            }
            asked.release();
            if (failures.getAndDecrement() > 0) {
              dead.set(true);
              throw new SQLException("the disk is full");
            }
          }
          return result;
        });
  }

  private interface Answer {
    Object of(String method, Object argument, Object result) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, Object inner, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(inner, arguments);
                return answer.of(method.getName(), arguments == null ? "" : arguments[0], result);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            }));
  }
}
