package dev.comity.store.sql;

import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The columns of authorities that say what kind of address a seed had. */
public record SeedAddresses(Statements sql) {

  /** Keeps the first kind of each and whether it was ever named; answers what is kept now. */
  public List<SeedAddress> keep(List<SeedAddress> seeds, Function<CrawlUrl, DomainName> naming) {
    List<SeedAddress> kept = new ArrayList<>();
    for (SeedAddress seed : seeds) {
      Authority authority = seed.authority();
      sql.first(
              """
              UPDATE authorities
              SET address_kind = coalesce(address_kind, ?), named = max(named, ?)
              WHERE domain_id = (SELECT id FROM domains WHERE domain = ?) AND authority = ?
              RETURNING address_kind, named
              """,
              row -> new SeedAddress(authority, row.getString(1), row.getBoolean(2)),
              seed.kind(),
              seed.named() ? 1 : 0,
              naming.apply(authority.robotsTxt()).name(),
              authority.toString())
          .ifPresent(kept::add);
    }
    return kept;
  }

  /** Those that were named. */
  public List<SeedAddress> named() {
    return read("a.named = 1");
  }

  /** Those of a domain. */
  public List<SeedAddress> of(DomainName domain) {
    return read("d.domain = ?", domain.name());
  }

  /** An authority that cannot be read is left out: it is damaged, and no seed has it. */
  private List<SeedAddress> read(String which, Object... values) {
    List<SeedAddress> kept = new ArrayList<>();
    sql.each(
        "SELECT a.authority, a.address_kind, a.named FROM authorities a"
            + " JOIN domains d ON d.id = a.domain_id WHERE a.address_kind IS NOT NULL AND "
            + which,
        row -> {
          if (CrawlUrl.parse(row.getString(1) + "/") instanceof CrawlUrl url) {
            kept.add(new SeedAddress(url.authority(), row.getString(2), row.getBoolean(3)));
          }
        },
        values);
    return kept;
  }

  /** Forgets all of a domain. */
  public void forget(long domain) {
    sql.update("UPDATE authorities SET address_kind = NULL, named = 0 WHERE domain_id = ?", domain);
  }
}
