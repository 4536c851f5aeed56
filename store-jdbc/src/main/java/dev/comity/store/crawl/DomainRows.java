package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.KnownDomain;
import dev.comity.store.order.Priorities;
import dev.comity.store.sql.DamagedDomains;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows that URLs refer to: their domains, authorities and sources. Links open a limited number
 * of domains under one name: a site that invents sub-domains would otherwise get a pace and a
 * budget for each. Runs in the writer's thread.
 */
public final class DomainRows {
  private final Statements sql;
  private final DomainPolicy policy;
  private final Priorities priorities;
  private final Map<String, Long> sources = new HashMap<>();

  public DomainRows(Statements sql, DomainPolicy policy, Priorities priorities) {
    this.sql = sql;
    this.policy = policy;
    this.priorities = priorities;
  }

  /** The row of a domain; inserted, where it is missing, with these URLs to request. */
  KnownDomain findOrInsert(DomainName name, List<Arrival> wanted, long now) {
    Optional<KnownDomain> found = find(name);
    return found.isPresent() ? found.get() : insert(name, wanted, now);
  }

  /** The id of a domain's row, which is inserted where it is missing, with nothing to request. */
  public long id(DomainName name, long now) {
    return findOrInsert(name, List.of(), now).id;
  }

  private Optional<KnownDomain> find(DomainName name) {
    Optional<KnownDomain> found =
        sql.first(
            """
            SELECT id, frontier_size, claimed_by IS NULL AND coalesce(claimable_at, 1) > 0
                AND status IN ('pending', 'active', 'exhausted') AND damage IS NULL
                AND reset_by_hand = 0,
              (SELECT coalesce(sum(discovered), 0) FROM arrivals WHERE domain_id = domains.id),
              urls_skipped
                + (SELECT coalesce(sum(skipped), 0) FROM arrivals WHERE domain_id = domains.id)
            FROM domains WHERE domain = ?
            """,
            row -> {
              KnownDomain domain = new KnownDomain(row.getLong(1));
              domain.unfinished = row.getLong(2) + row.getLong(4);
              domain.asleep = row.getBoolean(3);
              domain.skipped = row.getLong(5);
              return domain;
            },
            name.name());
    found.ifPresent(
        domain ->
            sql.each(
                "SELECT authority, number FROM authorities WHERE domain_id = ?",
                row -> domain.authorities.put(row.getString(1), row.getInt(2)),
                domain.id));
    return found;
  }

  /** The new row has its priority at once. Without a URL to request it cannot be claimed yet. */
  private KnownDomain insert(DomainName name, List<Arrival> wanted, long now) {
    if (isSubdomain(name)) {
      sql.update(
          "INSERT INTO subdomains (owner, known) VALUES (?, 1)"
              + " ON CONFLICT (owner) DO UPDATE SET known = known + 1",
          name.owner());
    }
    long urls = wanted.stream().map(arrival -> arrival.entry().url()).distinct().count();
    KnownDomain inserted =
        sql.first(
                """
                INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimable_at,
                  priority_score, priority_computed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
                """,
                row -> new KnownDomain(row.getLong(1)),
                name.name(),
                name.registrable().name(),
                now,
                now,
                urls > 0 ? 0 : null,
                priorities.ofNew(urls),
                now)
            .orElseThrow();
    inserted.asleep = urls == 0;
    return inserted;
  }

  /** Whether a link may lead to this domain: it is known, or its name has room for another. */
  boolean admitLinksTo(DomainName name) {
    return !isSubdomain(name)
        || sql.number(
                "SELECT coalesce((SELECT known FROM subdomains WHERE owner = ?), 0)", name.owner())
            < StoreLimits.MOST_SUBDOMAINS
        || sql.exists("SELECT 1 FROM domains WHERE domain = ?", name.name());
  }

  /** Counts links to domains that are not opened. */
  void leaveOut(DomainName name, int links) {
    sql.update(
        "INSERT INTO subdomains (owner, known, left_out) VALUES (?, 0, ?)"
            + " ON CONFLICT (owner) DO UPDATE SET left_out = left_out + excluded.left_out",
        name.owner(),
        links);
  }

  private static boolean isSubdomain(DomainName name) {
    return !name.name().equals(name.owner());
  }

  /** The number of an authority within its domain, inserted where it is missing. */
  public int authority(long domain, String authority) {
    return sql.first(
            "SELECT number FROM authorities WHERE domain_id = ? AND authority = ?",
            row -> row.getInt(1),
            domain,
            authority)
        .orElseGet(
            () ->
                sql.first(
                        """
                        INSERT INTO authorities (domain_id, number, authority)
                        SELECT ?1, coalesce(max(number), -1) + 1, ?2 FROM authorities
                        WHERE domain_id = ?1 RETURNING number
                        """,
                        row -> row.getInt(1),
                        domain,
                        authority)
                    .orElseThrow());
  }

  /** Inserts an authority and returns its number within its domain. */
  int insertAuthority(KnownDomain domain, String authority) {
    // A row may be missing, so that there are fewer than the highest number says.
    int number = domain.authorities.values().stream().mapToInt(i -> i).max().orElse(-1) + 1;
    sql.update(
        "INSERT INTO authorities (domain_id, number, authority) VALUES (?, ?, ?)",
        domain.id,
        number,
        authority);
    return number;
  }

  /** The id of a named set of URLs. */
  long source(String name, long now) {
    Long known = sources.get(name);
    if (known == null) {
      sql.update(
          "INSERT INTO sources (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
          name,
          now);
      known = sql.number("SELECT id FROM sources WHERE name = ?", name);
      sources.put(name, known);
    }
    return known;
  }

  void forgetSources() {
    sources.clear();
  }

  /** New work makes a domain claimable now, unless it is resting. */
  public void wake(long domain, long now) {
    sql.update(
        """
        UPDATE domains SET claimable_at = coalesce(not_before, 0), version = version + 1
        WHERE id = ? AND claimed_by IS NULL AND spent_run_id IS NULL AND damage IS NULL
          AND reset_by_hand = 0 AND status IN ('pending', 'active')
          AND (claimable_at IS NULL OR claimable_at > coalesce(not_before, 0))
        """,
        domain);
    Optional<Stored<DomainState>> exhausted =
        sql.first(
            "SELECT domain, policy_state, status FROM domains WHERE id = ? AND claimed_by IS NULL"
                + " AND damage IS NULL AND status = 'exhausted'",
            row -> Stored.state(row.getString(1), row.getString(2), row.getString(3), false),
            domain);
    if (exhausted.isEmpty()) {
      return;
    }
    switch (exhausted.get()) {
      case Stored.Damaged(var reason) -> new DamagedDomains(sql).setAside(domain, reason, now);
      case Stored.Sound(var before) -> {
        DomainState state = policy.arrival(before);
        Transitions.write(sql, domain, Transitions.StatusChange.ARRIVAL, now);
        sql.update(
            """
            UPDATE domains SET status = 'pending', policy_state = ?, next_crawl_after = NULL,
              claimable_at = 0, claim_class = ?, version = version + 1, updated_at = ? WHERE id = ?
            """,
            DomainStateJson.encode(state),
            StateColumns.claimClass(state),
            now,
            domain);
      }
    }
  }
}
