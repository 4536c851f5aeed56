package dev.comity.store.backfill;

import dev.comity.store.StoreLocation;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a store knows of other programs' history, before and after a backfill. Nothing is made,
 * upgraded or held, so a dry run leaves no trace.
 */
public final class StoredHistory implements AutoCloseable {
  /** Empty where nothing was kept yet. */
  private final Optional<Statements> sql;

  private StoredHistory(Optional<Statements> sql) {
    this.sql = sql;
  }

  /** Opens a store, existing or not. */
  public static StoredHistory open(StoreLocation place) {
    if (Schema.isEmpty(place)) {
      return new StoredHistory(Optional.empty());
    }
    Schema.require(place);
    return new StoredHistory(Optional.of(Statements.reading(place)));
  }

  /**
   * How a store stands, by the validation queries of a backfill.
   *
   * @param backfilled domains that a backfill or an import brought
   */
  public record Coverage(long backfilled, long domains, Map<String, StatusAverages> byStatus) {}

  /** Domains of one status that a backfill brought. */
  public record StatusAverages(long domains, double averageYield, double averagePages) {}

  /** Whether a domain is there. */
  public boolean knows(String domain) {
    return sql.isPresent() && sql.get().exists("SELECT 1 FROM domains WHERE domain = ?", domain);
  }

  /**
   * Compares what is there with what was to come.
   *
   * @param origin a word that the domains' origin begins with
   */
  public Coverage coverage(String origin) {
    return sql.map(there -> coverage(there, origin + "%")).orElse(new Coverage(0, 0, Map.of()));
  }

  private static Coverage coverage(Statements sql, String like) {
    Map<String, StatusAverages> byStatus = new TreeMap<>();
    sql.each(
        """
        SELECT status, count(*), avg(image_yield_rate), avg(pages_crawled) FROM domains
        WHERE source LIKE ? GROUP BY status
        """,
        row ->
            byStatus.put(
                row.getString(1),
                new StatusAverages(
                    row.getLong(2),
                    row.optionalReal(3).orElse(0.0),
                    row.optionalReal(4).orElse(0.0))),
        like);
    return new Coverage(
        sql.number("SELECT count(*) FROM domains WHERE source LIKE ?", like),
        sql.number("SELECT count(*) FROM domains"),
        byStatus);
  }

  @Override
  public void close() {
    sql.ifPresent(Statements::close);
  }
}
