package dev.comity.store.sql;

import dev.comity.store.StoreUnusable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A statement and its parameters. Values never become part of a statement's text, wherever they
 * come from.
 */
public record Query(String sql, List<Object> parameters) {

  public static Query of(String sql, Object... parameters) {
    return new Query(sql, List.of(parameters));
  }

  public <T> List<T> list(Connection connection, Function<FoundRow, T> reader) {
    List<T> found = new ArrayList<>();
    each(connection, row -> found.add(reader.apply(row)));
    return found;
  }

  public <T> Optional<T> first(Connection connection, Function<FoundRow, T> reader) {
    return list(connection, reader).stream().findFirst();
  }

  /** The one number it asks for, in a column called {@code n}. */
  public long number(Connection connection) {
    return first(connection, row -> row.number("n")).orElse(0L);
  }

  /** Hands over one row after the other; no more than one is held. */
  public void each(Connection connection, Consumer<FoundRow> reader) {
    try (PreparedStatement statement = prepared(connection);
        ResultSet rows = statement.executeQuery()) {
      FoundRow row = new FoundRow(rows);
      while (rows.next()) {
        reader.accept(row);
      }
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }

  /** Runs it, and says how many rows it changed. */
  public int change(Connection connection) {
    try (PreparedStatement statement = prepared(connection)) {
      return statement.executeUpdate();
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }

  private PreparedStatement prepared(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    int position = 1;
    for (Object parameter : parameters) {
      // Absent is NULL.
      Object value = parameter instanceof Optional<?> maybe ? maybe.orElse(null) : parameter;
      statement.setObject(position++, value);
    }
    return statement;
  }

  /** Runs a statement that has no parameters and no result. */
  public static void run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }

  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw unusable(failed);
    }
  }

  public static StoreUnusable unusable(SQLException failed) {
    return new StoreUnusable("the database says: " + failed.getMessage(), failed);
  }
}
