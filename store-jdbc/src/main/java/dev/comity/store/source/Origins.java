package dev.comity.store.source;

import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Statements;
import java.util.Map;

/** What domains came from, such as a file. The first origin of a domain stays. */
public record Origins(Statements sql) {

  /** Keeps the origins of domains that have none. Runs in a transaction that writes. */
  public void keep(Map<DomainName, String> origins) {
    origins.forEach(
        (domain, origin) ->
            sql.update(
                "UPDATE domains SET source = ?, version = version + 1"
                    + " WHERE domain = ? AND source IS NULL",
                origin,
                domain.name()));
  }
}
