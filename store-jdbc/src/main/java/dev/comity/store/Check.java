package dev.comity.store;

import java.sql.Connection;

/**
 * One thing that must hold at every moment. It is asked in whole sets, never row by row: there may
 * be ten million URLs.
 */
interface Check {
  String name();

  int invariant();

  String rule();

  void examine(Connection connection, Examination.Notes notes);
}
