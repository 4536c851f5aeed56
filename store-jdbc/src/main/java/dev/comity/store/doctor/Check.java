package dev.comity.store.doctor;

import java.sql.Connection;

/**
 * One thing that must hold at every moment. It is asked in whole sets, never row by row: there may
 * be ten million URLs.
 */
interface Check {
  String name();

  int invariant();

  String rule();

  /** What to do about most of what it finds; NAME stands for the domain. */
  String fix();

  /** What has happened stays in the log. */
  String HISTORY = "it has happened and cannot be mended: please report it";

  /** Counts anew, takes out what cannot be read, and writes state and columns. */
  String RESET = "`comity domain-reset NAME` mends it";

  /** The next process that opens the directory ends what was left. */
  String NEXT_CRAWL = "the next `comity crawl` mends it";

  void examine(Connection connection, Examination.Notes notes);
}
