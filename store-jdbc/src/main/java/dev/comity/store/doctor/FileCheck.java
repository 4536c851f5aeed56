package dev.comity.store.doctor;

import dev.comity.store.sql.Query;
import java.sql.Connection;

/** Whether the database's file is whole. */
final class FileCheck implements Check {
  @Override
  public String name() {
    return "file";
  }

  @Override
  public int invariant() {
    return 0;
  }

  @Override
  public String rule() {
    return "the database's pages, rows and constraints are whole";
  }

  @Override
  public String fix() {
    return "restore the data directory from a copy";
  }

  @Override
  public void examine(Connection connection, Examination.Notes notes) {
    Query.of("PRAGMA quick_check(" + Examination.MOST + ")")
        .each(
            connection,
            row -> {
              String word = row.text("quick_check");
              if (!word.equals("ok")) {
                notes.add("", word);
              }
            });
  }
}
