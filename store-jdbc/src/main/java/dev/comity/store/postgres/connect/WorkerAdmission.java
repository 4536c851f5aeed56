package dev.comity.store.postgres.connect;

import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/** Decides whether a worker may begin beside those that are at work, and registers it. */
final class WorkerAdmission {
  /**
   * Workers that may still send requests. One that was killed counts until its leases have ended.
   */
  static final String AT_WORK =
      """
      w.ended_at IS NULL AND (w.last_seen_at > comity_millis() - 60000
        OR EXISTS (SELECT 1 FROM domains d
          WHERE d.claimed_by = w.id AND d.claim_expires_at > comity_millis()))
      """;

  static final String VERSION =
      "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM flyway_schema_history WHERE success";

  /** Tables change and workers begin one after the other: any number that no program uses. */
  private static final long LOCK = 0x436f_6d69_7479L;

  private WorkerAdmission() {}

  /** Waits until neither a worker begins nor the tables are changed; until the commit. */
  static void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
    }
  }

  /** What the workers of this program write as their version. */
  static String version() {
    return String.valueOf(Migrations.POSTGRES.scripts().size());
  }

  private record Other(String id, String name, String version, boolean alone) {}

  /**
   * Refuses a worker that would do harm, until the commit of this transaction.
   *
   * @param worker its id, which may be registered already
   * @param off its switches that are off
   * @throws StoreUnusable with the way out
   */
  static void require(PostgresSession tx, String worker, List<String> off) {
    tx.sql.exists("SELECT pg_advisory_xact_lock(" + LOCK + ")");
    long tables = tx.sql.number(VERSION);
    if (tables != Migrations.POSTGRES.scripts().size()) {
      throw new StoreUnusable(
          "the tables have version %d since another Comity was started, and this one knows %s: use"
                  .formatted(tables, version())
              + " that one");
    }
    List<Other> others =
        tx.sql.list(
            "SELECT w.id, w.name, w.version, ? = ANY (string_to_array(w.flags, ' ')) FROM workers w"
                + " WHERE w.id <> ? AND "
                + AT_WORK
                + " ORDER BY w.started_at, w.id",
            row ->
                new Other(row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4)),
            StoreSettings.CLAIMS,
            worker);
    others.stream()
        .flatMap(other -> objection(other, off).stream())
        .findFirst()
        .ifPresent(
            why -> {
              throw new StoreUnusable(why);
            });
  }

  private static Optional<String> objection(Other other, List<String> off) {
    if (!other.version.equals(version())) {
      return Optional.of(
          "worker %s is of another Comity (tables of version %s, here %s)%s"
              .formatted(other.name, other.version, version(), wayOut(other)));
    }
    if (other.alone) {
      return Optional.of(
          "worker %s has the database alone, since its %s is off%s"
              .formatted(other.name, StoreSettings.CLAIMS, wayOut(other)));
    }
    if (off.contains(StoreSettings.CLAIMS)) {
      return Optional.of(
          "%s is off, so that this process would ignore the claims of worker %s: set it to true%s"
              .formatted(
                  StoreSettings.CLAIMS, other.name, wayOut(other).replaceFirst(": ", ", or ")));
    }
    return Optional.empty();
  }

  private static String wayOut(Other other) {
    return ": end it with `comity drain %1$s`; if it was killed, with `comity release-stuck-claims --force %1$s`, a minute later"
        .formatted(other.id);
  }
}
