package dev.comity.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of one connection, each prepared once. Used by one thread at a time. */
public final class Statements implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  public Statements(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /** Makes a value of the row a result stands at. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the row a result stands at. */
  @FunctionalInterface
  public interface EachRow {
    void take(ResultSet row) throws SQLException;
  }

  /** Executes what changes rows; answers how many it did change. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
    return bound(sql, values).executeUpdate();
  }

  /** Executes what answers nothing, such as the bounds of a transaction. */
  public void execute(String sql) throws SQLException {
    statement(sql).execute();
  }

  public void each(String sql, EachRow taker, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      while (rows.next()) {
        taker.take(rows);
      }
    }
  }

  public <T> List<T> list(String sql, Row<T> reader, @Nullable Object... values)
      throws SQLException {
    List<T> list = new ArrayList<>();
    each(sql, row -> list.add(reader.read(row)), values);
    return list;
  }

  public <T> Optional<T> first(String sql, Row<T> reader, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
    }
  }

  /** The one number a query always gives; 0 for none. */
  public long number(String sql, @Nullable Object... values) throws SQLException {
    return first(sql, row -> row.getLong(1), values).orElse(0L);
  }

  public PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = statement(sql);
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, values[i]);
    }
    return statement;
  }

  /** The driver's own setObject tries every type it knows; these are all we have. */
  public static void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(position, java.sql.Types.NULL);
      case Long number -> statement.setLong(position, number);
      case Integer number -> statement.setInt(position, number);
      case String text -> statement.setString(position, text);
      case byte[] bytes -> statement.setBytes(position, bytes);
      default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
    }
  }

  /** The driver finalises a statement that failed, so all are prepared anew when needed. */
  public void renew() {
    for (PreparedStatement statement : prepared.values()) {
      try {
        statement.close();
      } catch (SQLException _) {
        // Closed is closed.
      }
    }
    prepared.clear();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
