package dev.comity.store.crawl;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.KnownDomain;
import dev.comity.store.sql.Statements;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Inserts URLs one at a time: near a domain's limit, seeds with a fallback, and URLs that met
 * another text under their key. Such a URL gets the first free key from its own on.
 */
record SingleInserts(Statements sql, FrontierWriter frontier) {
  /** How far from its own key a URL may lie. */
  private static final int MOST_PROBES = 1000;

  private static final String INSERT =
      "INSERT INTO domain_frontier ("
          + FrontierWriter.COLUMNS
          + ", id) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (domain_id, url_key) DO NOTHING";

  enum Result {
    NEW,
    KNOWN,
    NO_ROOM
  }

  /**
   * @param id of the row, if one is inserted
   * @param hasRoom whether the domain may have another row
   */
  Result insert(
      long id,
      KnownDomain domain,
      Arrival arrival,
      boolean hasRoom,
      FrontierWriter.Referrers referrers,
      long now) {
    for (long key = arrival.key(); ; key++) {
      if (hasRoom && isInserted(id, domain, arrival, key, referrers, now)) {
        break;
      }
      Optional<Boolean> same = isSame(domain, arrival, key);
      if (same.isEmpty()) {
        return Result.NO_ROOM;
      }
      if (same.get()) {
        return Result.KNOWN;
      }
    }
    domain.keep(1, arrival.skipped());
    if (arrival.entry().fallback().isPresent()) {
      sql.update(
          "INSERT INTO fallbacks (url_id, url) VALUES (?, ?)",
          id,
          arrival.entry().fallback().get().toString());
    }
    return Result.NEW;
  }

  private boolean isInserted(
      long id,
      KnownDomain domain,
      Arrival arrival,
      long key,
      FrontierWriter.Referrers referrers,
      long now) {
    return sql.with(
        INSERT,
        insert -> {
          frontier.bind(insert, 1, domain, arrival, key, referrers, now);
          insert.setLong(FrontierWriter.WIDTH + 1, id);
          return insert.executeUpdate() == 1;
        });
  }

  /** Whether the row under this key has the same text; empty without a row. */
  private Optional<Boolean> isSame(KnownDomain domain, Arrival arrival, long key) {
    return sql.first(
        "SELECT a.authority, f.target FROM domain_frontier f LEFT JOIN authorities a"
            + " ON a.domain_id = f.domain_id AND a.number = f.authority_no"
            + " WHERE f.domain_id = ? AND f.url_key = ?",
        row ->
            row.optionalText(1).equals(Optional.of(arrival.authority()))
                && row.getString(2).equals(arrival.target()),
        domain.id,
        key);
  }

  /** The row id of a known URL; null for an unknown one. */
  @Nullable Long find(CrawlUrl url, long key, DomainName domain) {
    String text = url.toString();
    String target = url.target();
    return sql.first(
            """
            SELECT f.id FROM domains d
            JOIN domain_frontier f ON f.domain_id = d.id AND f.url_key BETWEEN ?1 AND ?1 + ?2
            JOIN authorities a ON a.domain_id = d.id AND a.number = f.authority_no
            WHERE d.domain = ?3 AND f.target = ?4 AND a.authority = ?5 LIMIT 1
            """,
            row -> row.getLong(1),
            key,
            MOST_PROBES,
            domain.name(),
            target,
            text.substring(0, text.length() - target.length()))
        .orElse(null);
  }
}
