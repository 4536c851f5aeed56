package dev.comity.store;

import java.sql.Connection;

/**
 * Where a store is: in a data directory, or in a database on a server. Readers and operators open
 * either; their tables and columns are the same.
 */
public sealed interface StoreLocation permits DataDirectory, ServerDatabase {

  /** Whether there is anything to read. */
  boolean exists();

  /**
   * A connection that sees one moment at a time and cannot write.
   *
   * @throws StoreUnusable if there is none
   */
  Connection reading();

  /**
   * A connection in a read transaction: all its statements see the same moment, and may take long.
   *
   * @throws StoreUnusable if there is none
   */
  Connection snapshot();

  /**
   * A connection that may write.
   *
   * @throws StoreUnusable if there is none
   */
  Connection writing();

  /** The words of its SQL. */
  SqlDialect dialect();

  /** How it is called in messages; without a password. */
  String shown();
}
