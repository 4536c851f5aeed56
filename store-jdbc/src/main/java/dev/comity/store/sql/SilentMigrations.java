package dev.comity.store.sql;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/**
 * Keeps the migration library from logging: a program that uses the store decides itself what is
 * printed. What goes wrong is thrown.
 */
public final class SilentMigrations implements LogCreator {
  @Override
  public Log createLogger(Class<?> source) {
    return new Log() {
      @Override
      public void debug(String message) {}

      @Override
      public void info(String message) {}

      @Override
      public void warn(String message) {}

      @Override
      public void error(String message) {}

      @Override
      public void error(String message, Exception cause) {}

      @Override
      public void notice(String message) {}
    };
  }
}
