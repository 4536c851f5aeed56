package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;

/** Whether the database's file is whole. */
final class FileCheck {
  static Check check() {
    return new Check(
        "file",
        0,
        "the database's pages, rows and constraints are whole",
        "restore the data directory from a copy",
        FileCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        "PRAGMA quick_check(" + Examination.MOST + ")",
        row -> {
          String word = row.text("quick_check");
          if (!word.equals("ok")) {
            findings.add("", word);
          }
        });
  }
}
