package dev.comity.core.memory;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The rows of all domains, by name, and how URLs enter them. */
final class DomainTable {
  private final Function<CrawlUrl, DomainName> naming;
  private final DomainPolicy policy;
  private final StoreLimits limits;
  private final MemorySources sources;
  private final Map<DomainName, DomainRow> rows = new LinkedHashMap<>();

  /** How many sub-domains each registered name has. */
  private final Map<String, Integer> subdomains = new HashMap<>();

  /** Whether the order of domains is given and not computed. */
  private boolean ordered;

  DomainTable(
      Function<CrawlUrl, DomainName> naming,
      DomainPolicy policy,
      StoreLimits limits,
      MemorySources sources) {
    this.sources = sources;
    this.naming = naming;
    this.policy = policy;
    this.limits = limits;
  }

  /** How many URLs were new, by whether they are queued. */
  record Entered(int queued, int skipped) {}

  Collection<DomainRow> all() {
    return rows.values();
  }

  Optional<DomainRow> find(DomainName domain) {
    return Optional.ofNullable(rows.get(domain));
  }

  boolean has(DomainName domain) {
    return rows.containsKey(domain);
  }

  /** The row under this claim. */
  DomainRow held(Claim claim) {
    DomainRow row = rows.get(claim.domain());
    if (row == null || !row.isHeldBy(claim.token())) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return row;
  }

  Entered enter(List<QueuedUrl> urls, Instant now) {
    Set<DomainName> tooMany = beyondTheCap(urls);
    Set<DomainRow> fresh = new LinkedHashSet<>();
    int queued = 0;
    int skipped = 0;
    for (QueuedUrl url : urls) {
      DomainName name = naming.apply(url.url());
      if (tooMany.contains(name)) {
        continue;
      }
      DomainRow row = rows.get(name);
      if (row == null) {
        row = newRow(name);
        fresh.add(row);
      }
      if (url.isSkipped(limits.accepted())) {
        skipped += row.urls.skip(url.url()) ? 1 : 0;
      } else {
        queued += enter(row, url) ? 1 : 0;
      }
    }
    fresh.forEach(row -> row.recalculate(now));
    return new Entered(queued, skipped);
  }

  private boolean enter(DomainRow row, QueuedUrl url) {
    boolean added = row.add(url, policy);
    if (added) {
      sources.entered(url);
    }
    return added;
  }

  private DomainRow newRow(DomainName name) {
    DomainRow row = new DomainRow(name, limits.maxUnfinished());
    if (ordered) {
      row.stand(Integer.MIN_VALUE);
    }
    rows.put(name, row);
    return row;
  }

  /**
   * Sub-domains that only links lead to, of registered names that have enough of them. They are
   * counted in the order of their names, so that the order of links does not matter.
   */
  private Set<DomainName> beyondTheCap(List<QueuedUrl> urls) {
    Map<DomainName, Boolean> named = new TreeMap<>(Comparator.comparing(DomainName::name));
    for (QueuedUrl url : urls) {
      DomainName name = naming.apply(url.url());
      if (!rows.containsKey(name)) {
        named.merge(name, url.isSeed(), Boolean::logicalOr);
      }
    }
    Set<DomainName> tooMany = new HashSet<>();
    named.forEach(
        (name, seed) -> {
          if (!hasRoomFor(name, seed)) {
            tooMany.add(name);
          }
        });
    return tooMany;
  }

  /** Counts a domain without a row, if there is room for it. */
  private boolean hasRoomFor(DomainName name, boolean seed) {
    String owner = name.owner();
    if (name.name().equals(owner)) {
      return true;
    }
    boolean room = seed || subdomains.getOrDefault(owner, 0) < StoreLimits.MOST_SUBDOMAINS;
    if (room) {
      subdomains.merge(owner, 1, Integer::sum);
    }
    return room;
  }

  /** The row of this domain, made if there is room for it. */
  Optional<DomainRow> findOrMake(DomainName domain, Instant now) {
    if (!rows.containsKey(domain) && hasRoomFor(domain, false)) {
      newRow(domain).recalculate(now);
    }
    return find(domain);
  }

  /**
   * Queues known pages to be fetched for their links; answers how many. They are pages of the
   * seeds' domains, and of domains with work in the run.
   */
  int askForLinks(List<CrawlUrl> seeds, long run) {
    Set<DomainName> seeded = new HashSet<>();
    seeds.forEach(seed -> seeded.add(naming.apply(seed)));
    int known = 0;
    for (Map.Entry<DomainName, DomainRow> row : rows.entrySet()) {
      if (seeded.contains(row.getKey()) || row.getValue().isOf(run)) {
        known += row.getValue().askForLinks(policy);
      }
    }
    return known;
  }

  /** Forgets what politeness knew of idle domains; answers which they are. */
  Set<DomainName> forgetIdle(Instant now) {
    Set<DomainName> idle = new HashSet<>();
    rows.forEach(
        (name, row) -> {
          if (row.forgetIdle(policy, now)) {
            idle.add(name);
          }
        });
    return idle;
  }

  /** Makes this the order in which domains are claimed; all others come after them. */
  void order(List<DomainName> domains) {
    ordered = true;
    rows.values().forEach(row -> row.stand(-domains.size()));
    for (int place = 0; place < domains.size(); place++) {
      DomainRow row = rows.get(domains.get(place));
      if (row != null) {
        row.stand(-place);
      }
    }
  }
}
