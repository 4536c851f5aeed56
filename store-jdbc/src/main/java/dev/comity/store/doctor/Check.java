package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;
import java.util.function.BiConsumer;

/**
 * One rule that must hold at every moment. It is checked in whole sets, never row by row: there may
 * be ten million URLs.
 *
 * @param invariant its number in the list of invariants; 0 where it is none of those
 * @param fix what to do about most findings; NAME stands for the domain
 * @param examiner adds a note for each contradiction
 */
record Check(
    String name,
    int invariant,
    String rule,
    String fix,
    BiConsumer<Statements, Examination.Findings> examiner) {

  /** What has happened stays in the log. */
  static final String HISTORY = "it cannot be mended: please report it";

  /** Counts anew, takes out what cannot be read, and writes state and columns. */
  static final String RESET = "`comity domain-reset NAME` mends it";

  /** The next process that opens the directory ends what was left. */
  static final String NEXT_CRAWL = "the next `comity crawl` mends it";

  Examination examine(Statements sql) {
    Examination.Findings findings = new Examination.Findings(fix);
    examiner.accept(sql, findings);
    return findings.of(this);
  }
}
