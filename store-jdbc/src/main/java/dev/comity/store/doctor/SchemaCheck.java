package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;

/** Whether the tables on a server are whole, and their indexes and triggers at work. */
final class SchemaCheck {
  private SchemaCheck() {}

  static Check check() {
    return new Check(
        "schema",
        0,
        "the server's pages are whole, and every index and trigger of the tables is at work",
        "restore the database from a copy",
        SchemaCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        "SELECT version FROM flyway_schema_history WHERE NOT success",
        row ->
            findings.add(
                "", "version %s of the tables was not finished".formatted(row.text("version"))));
    sql.each(
        """
        SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'domains'::regclass)
          AND NOT (i.indisvalid AND i.indisready)
        """,
        row ->
            findings.add(
                "",
                "the index %s is not valid".formatted(row.text("name")),
                "`REINDEX INDEX %s` in the database mends it".formatted(row.text("name"))));
    sql.each(
        """
        SELECT n.name FROM (VALUES ('domains_updated'), ('domains_status_written')) AS n (name)
        WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t
          WHERE t.tgrelid = 'domains'::regclass AND t.tgname = n.name AND t.tgenabled <> 'D')
        """,
        row ->
            findings.add(
                "",
                "the trigger %s does not work".formatted(row.text("name")),
                "`ALTER TABLE domains ENABLE TRIGGER %s` in the database mends it"
                    .formatted(row.text("name"))));
    sql.each(
        "SELECT checksum_failures AS n FROM pg_stat_database"
            + " WHERE datname = current_database() AND checksum_failures > 0",
        row -> findings.add("", "%d pages had wrong checksums".formatted(row.number("n"))));
  }
}
