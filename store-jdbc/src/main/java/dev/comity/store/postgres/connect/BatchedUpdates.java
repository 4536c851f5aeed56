package dev.comity.store.postgres.connect;

import dev.comity.store.sql.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements whose updates are gathered and sent together, those of one text in one message. The
 * count of rows is not known. Updates of different texts must not depend on each other.
 */
public final class BatchedUpdates extends Statements {
  private final Set<String> waiting = new LinkedHashSet<>();

  public BatchedUpdates(Connection connection) {
    super(connection);
  }

  /** Gathers an update; returns 0. */
  @Override
  public int update(String sql, @Nullable Object... values) {
    with(
        sql,
        statement -> {
          for (int i = 0; i < values.length; i++) {
            bind(statement, i + 1, values[i]);
          }
          statement.addBatch();
          return true;
        });
    waiting.add(sql);
    return 0;
  }

  /** Sends all that was gathered. */
  public void write() {
    for (String sql : waiting) {
      with(sql, PreparedStatement::executeBatch);
    }
    waiting.clear();
  }

  /** Forgets what was gathered. */
  public void clear() {
    for (String sql : waiting) {
      with(
          sql,
          statement -> {
            statement.clearBatch();
            return true;
          });
    }
    waiting.clear();
  }
}
