package dev.comity.store.postgres.rows;

import dev.comity.core.port.source.SourceOperations;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.source.SourceTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What operators do with the sources of a database, beside any number of workers. Each call is one
 * transaction.
 *
 * @param actor the name for the audit
 */
public record PostgresSources(PostgresDatabase database, String actor) implements SourceOperations {

  @Override
  public boolean addSource(String name, Optional<Duration> interval) {
    return database.inTransaction(tx -> table(tx).add(name, interval));
  }

  @Override
  public Optional<SourceRecord> setInterval(String name, Optional<Duration> interval) {
    return database.inTransaction(tx -> table(tx).set(name, interval));
  }

  @Override
  public List<SourceRecord> sources() {
    return database.inTransaction(tx -> table(tx).all());
  }

  @Override
  public OptionalLong removeSource(String name) {
    return database.inTransaction(tx -> table(tx).remove(name));
  }

  private SourceTable table(PostgresSession tx) {
    return new SourceTable(
        tx.sql, actor, tx.now(), name -> DomainReadiness.set(tx, waiting(tx, name)));
  }

  /** Locks the domains that wait for the source alone. */
  private static List<Long> waiting(PostgresSession tx, String source) {
    return tx.sql.list(
        SourceTable.WAITING + " ORDER BY d.id FOR NO KEY UPDATE OF d",
        row -> row.getLong(1),
        source);
  }
}
