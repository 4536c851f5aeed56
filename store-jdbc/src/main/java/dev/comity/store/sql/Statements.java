package dev.comity.store.sql;

import dev.comity.store.SqlDialect;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreUnusable;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one connection, each prepared once. Used by one thread at a time. Values are
 * always parameters, never part of a statement's text. A failure is a {@link StoreUnusable} with
 * the {@link SQLException} as its cause.
 */
public class Statements implements AutoCloseable {
  private final Connection connection;
  private final SqlDialect dialect;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  /** Statements without words that databases differ in. */
  public Statements(Connection connection) {
    this(connection, SqlDialect.SQLITE);
  }

  public Statements(Connection connection, SqlDialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Statements that read what is there. */
  public static Statements reading(StoreLocation place) {
    return new Statements(place.reading(), place.dialect());
  }

  /** The words of this database. */
  public SqlDialect dialect() {
    return dialect;
  }

  /** Executes a statement that changes rows and returns their number. */
  public int update(String sql, @Nullable Object... values) {
    return with(sql, statement -> bound(statement, values).executeUpdate());
  }

  /** Executes a statement without a result, such as the bounds of a transaction. */
  public void execute(String sql) {
    with(sql, PreparedStatement::execute);
  }

  /** Reads the rows one after the other; only one is in memory. */
  public void each(String sql, Consumer<ResultRow> reader, @Nullable Object... values) {
    with(
        sql,
        statement -> {
          try (ResultSet rows = bound(statement, values).executeQuery()) {
            ResultRow row = new ResultRow(rows);
            while (rows.next()) {
              reader.accept(row);
            }
          }
          return true;
        });
  }

  public <T> List<T> list(String sql, Function<ResultRow, T> reader, @Nullable Object... values) {
    List<T> list = new ArrayList<>();
    each(sql, row -> list.add(reader.apply(row)), values);
    return list;
  }

  public <T> Optional<T> first(
      String sql, Function<ResultRow, T> reader, @Nullable Object... values) {
    return with(
        sql,
        statement -> {
          try (ResultSet rows = bound(statement, values).executeQuery()) {
            return rows.next() ? Optional.of(reader.apply(new ResultRow(rows))) : Optional.empty();
          }
        });
  }

  /** Whether the query has a row. */
  public boolean exists(String sql, @Nullable Object... values) {
    return first(sql, _ -> true, values).isPresent();
  }

  /** The number in the first column of the first row; 0 without a row. */
  public long number(String sql, @Nullable Object... values) {
    return first(sql, row -> row.getLong(1), values).orElse(0L);
  }

  /** Uses a prepared statement directly. */
  @FunctionalInterface
  public interface Use<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  public <T> T with(String sql, Use<T> use) {
    try {
      PreparedStatement statement = prepared.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(dialect.of(sql));
        prepared.put(sql, statement);
      }
      return use.on(statement);
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }

  private static PreparedStatement bound(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, values[i]);
    }
    return statement;
  }

  /** The driver's own setObject tries every type it knows; the columns hold only these. */
  public static void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(position, java.sql.Types.NULL);
      case Long number -> statement.setLong(position, number);
      case Integer number -> statement.setInt(position, number);
      case Double number -> statement.setDouble(position, number);
      case String text -> statement.setString(position, text);
      case byte[] bytes -> statement.setBytes(position, bytes);
      case Array array -> statement.setArray(position, array);
      default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
    }
  }

  /** The driver finalises a statement that failed, so all are prepared again when needed. */
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

  /** Undoes the transaction, if there is one. */
  public void rollBack() {
    renew();
    try {
      execute("ROLLBACK");
    } catch (StoreUnusable _) {
      // SQLite has undone it already, or it never began.
    }
  }

  static StoreUnusable unusable(SQLException failed) {
    return new StoreUnusable("the database says: " + failed.getMessage(), failed);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }
}
