package dev.comity.store.operate;

import dev.comity.core.port.source.SourceOperations;
import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.source.SourceTable;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What operators do with the sources of a data directory, also beside a crawl. Each call is one
 * transaction.
 *
 * @param actor the name for the audit
 */
public record DirectorySources(DataDirectory directory, String actor, InstantSource clock)
    implements SourceOperations {
  @Override
  public boolean addSource(String name, Optional<Duration> interval) {
    return writing(sql -> table(sql).add(name, interval));
  }

  @Override
  public Optional<SourceRecord> setInterval(String name, Optional<Duration> interval) {
    return writing(sql -> table(sql).set(name, interval));
  }

  @Override
  public List<SourceRecord> sources() {
    Schema.require(directory);
    try (Statements sql = new Statements(directory.reading())) {
      return table(sql).all();
    }
  }

  @Override
  public OptionalLong removeSource(String name) {
    return writing(sql -> table(sql).remove(name));
  }

  private SourceTable table(Statements sql) {
    Readiness readiness = new Readiness(sql);
    return new SourceTable(
        sql,
        actor,
        clock.millis(),
        name -> sql.list(SourceTable.WAITING, row -> row.getLong(1), name).forEach(readiness::set));
  }

  private <T> T writing(Function<Statements, T> work) {
    Schema.require(directory);
    // Closing a connection undoes what was not committed.
    try (Statements sql = new Statements(directory.writing())) {
      sql.execute("BEGIN IMMEDIATE");
      T done = work.apply(sql);
      OperatorSignal.of(directory).raise();
      sql.execute("COMMIT");
      return done;
    }
  }
}
