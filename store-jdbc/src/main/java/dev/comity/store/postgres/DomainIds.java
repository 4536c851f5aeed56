package dev.comity.store.postgres;

import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The ids of domains' rows, which are inserted where they are missing. Ids never change, so
 * committed ones are kept in memory. Links open a limited number of domains under one name.
 */
final class DomainIds {
  private static final int IN_MEMORY = 100_000;

  private final Priorities priorities;
  private final Map<String, Long> known = BoundedMap.byUse(IN_MEMORY);

  DomainIds(Priorities priorities) {
    this.priorities = priorities;
  }

  /**
   * URLs that lead to a domain.
   *
   * @param urls how many are to be requested
   * @param links how many of all are links
   * @param seeded whether one is no link
   */
  record Opening(int urls, int links, boolean seeded) {
    Opening and(Opening more) {
      return new Opening(urls + more.urls, links + more.links, seeded || more.seeded);
    }
  }

  /** The ids of these domains. A domain that is one sub-domain too many has none. */
  Map<DomainName, Long> of(PostgresSession tx, Map<DomainName, Opening> wanted) {
    Map<DomainName, Long> ids = new HashMap<>();
    SortedMap<String, DomainName> missing = new TreeMap<>();
    synchronized (known) {
      for (DomainName name : wanted.keySet()) {
        Long id = known.get(name.name());
        if (id == null) {
          missing.put(name.name(), name);
        } else {
          ids.put(name, id);
        }
      }
    }
    if (!missing.isEmpty()) {
      find(tx, missing, ids);
      synchronized (known) {
        missing.forEach((name, domain) -> keep(name, ids.get(domain)));
      }
      missing.values().removeAll(ids.keySet());
    }
    if (!missing.isEmpty()) {
      insert(tx, admitted(tx, missing.values(), wanted), wanted);
      find(tx, missing, ids);
    }
    return ids;
  }

  private void keep(String name, @Nullable Long id) {
    if (id != null) {
      known.put(name, id);
    }
  }

  /** The id of a domain; empty if it is unknown. */
  Optional<Long> find(PostgresSession tx, DomainName name) {
    return tx.sql.first(
        "SELECT id FROM domains WHERE domain = ?", row -> row.getLong(1), name.name());
  }

  private static void find(
      PostgresSession tx, SortedMap<String, DomainName> missing, Map<DomainName, Long> ids) {
    tx.sql.each(
        "SELECT domain, id FROM domains WHERE domain = ANY (?)",
        row -> {
          DomainName name = missing.get(row.getString(1));
          if (name != null) {
            ids.put(name, row.getLong(2));
          }
        },
        tx.texts(missing.keySet()));
  }

  /** Those that may be inserted; the links of the others are counted. */
  private static List<DomainName> admitted(
      PostgresSession tx, Collection<DomainName> missing, Map<DomainName, Opening> wanted) {
    SortedMap<String, Long> owners = new TreeMap<>();
    missing.stream().filter(DomainIds::isSubdomain).forEach(name -> owners.put(name.owner(), 0L));
    if (owners.isEmpty()) {
      return List.copyOf(missing);
    }
    tx.sql.each(
        "SELECT owner, known FROM subdomains WHERE owner = ANY (?)",
        row -> owners.put(row.getString(1), row.getLong(2)),
        tx.texts(owners.keySet()));
    SortedMap<String, Long> added = new TreeMap<>();
    SortedMap<String, Long> leftOut = new TreeMap<>();
    List<DomainName> admitted = new ArrayList<>();
    for (DomainName name : missing) {
      Opening opening = wanted.getOrDefault(name, new Opening(0, 0, false));
      if (!isSubdomain(name)) {
        admitted.add(name);
      } else if (opening.seeded()
          || owners.getOrDefault(name.owner(), 0L) + added.getOrDefault(name.owner(), 0L)
              < StoreLimits.MOST_SUBDOMAINS) {
        added.merge(name.owner(), 1L, Long::sum);
        admitted.add(name);
      } else {
        leftOut.merge(name.owner(), (long) opening.links(), Long::sum);
      }
    }
    for (String owner : owners.keySet()) {
      tx.sql.update(
          """
          INSERT INTO subdomains (owner, known, left_out) VALUES (?, ?, ?)
          ON CONFLICT (owner) DO UPDATE SET known = subdomains.known + excluded.known,
            left_out = subdomains.left_out + excluded.left_out
          """,
          owner,
          added.getOrDefault(owner, 0L),
          leftOut.getOrDefault(owner, 0L));
    }
    return admitted;
  }

  private static boolean isSubdomain(DomainName name) {
    return !name.name().equals(name.owner());
  }

  /** In the order of their names, so that two groups never wait for each other. */
  private void insert(PostgresSession tx, List<DomainName> names, Map<DomainName, Opening> wanted) {
    if (names.isEmpty()) {
      return;
    }
    List<Integer> urls =
        names.stream()
            .map(name -> wanted.getOrDefault(name, new Opening(0, 0, false)).urls())
            .toList();
    tx.sql.update(
        """
        INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimable_at,
          priority_score, priority_computed_at)
        SELECT u.name, u.parent, ?, ?, CASE WHEN u.urls > 0 THEN 0 END, u.score, ?
        FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) AS u(name, parent, urls, score)
        ORDER BY u.name ON CONFLICT (domain) DO NOTHING
        """,
        tx.now(),
        tx.now(),
        tx.now(),
        tx.texts(names.stream().map(DomainName::name).toList()),
        tx.texts(names.stream().map(name -> name.registrable().name()).toList()),
        tx.numbers(urls),
        tx.numbers(urls.stream().map(priorities::ofNew).collect(Collectors.toList())));
  }
}
