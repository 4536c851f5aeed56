package dev.comity.store.postgres;

import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.PostgresServer;

/** Databases for tests: each begins with the tables and without rows. */
final class Databases {
  private static final String TEMPLATE = "comity_tables";

  private Databases() {}

  private static final class Made {
    static {
      PostgresServer.shared().newTemplate(TEMPLATE, url -> PostgresDatabase.at(url).migrate());
    }

    static String copy() {
      return PostgresServer.shared().newDatabase(TEMPLATE);
    }
  }

  /** The address of a new database. */
  static String url() {
    return Made.copy();
  }

  static PostgresDatabase fresh() {
    return PostgresDatabase.at(url());
  }
}
