package dev.comity.store.postgres;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.UrlHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the URLs that a group has found, all with one statement and in the order of their keys:
 * two groups with the same new URLs never wait for each other in a circle. Ids are given in the
 * order in which the URLs were found.
 */
final class FrontierInserts {
  private static final String INSERT =
      """
      INSERT INTO domain_frontier (id, domain_id, referrer_id, source_id, url_hash, place,
        discovered_at, depth, hops, kind, state, url)
      SELECT * FROM (SELECT nextval('url_ids'), u.* FROM unnest(?::bigint[], ?::bigint[],
          ?::bigint[], ?::uuid[], ?::int[], ?::int[], ?::int[], ?::smallint[], ?::smallint[],
          ?::smallint[], ?::text[]) AS u(domain_id, referrer_id, source_id, url_hash, place,
          discovered_at, depth, hops, kind, state, url) OFFSET 0) AS numbered
      ORDER BY domain_id, url_hash ON CONFLICT (domain_id, url_hash) DO NOTHING
      RETURNING domain_id, url_hash, id
      """;

  private final DomainIds ids;
  private final SeenHints hints;
  private final StoreLimits limits;
  private final Function<CrawlUrl, DomainName> naming;

  FrontierInserts(
      DomainIds ids, SeenHints hints, StoreLimits limits, Function<CrawlUrl, DomainName> naming) {
    this.ids = ids;
    this.hints = hints;
    this.limits = limits;
    this.naming = naming;
  }

  /**
   * URLs that were found together.
   *
   * @param owner the domain whose counters the caller writes; 0 for none
   * @param finished how many URLs of it the caller finishes in the same transaction
   * @param referrers ids of pages that are known
   */
  record Finds(long owner, int finished, List<FoundUrl> urls, Map<CrawlUrl, Long> referrers) {}

  /** How many new URLs are queued, over the limit, or stored as skipped. */
  record Entered(int queued, int overCap, int skipped) {
    static final Entered NONE = new Entered(0, 0, 0);

    Entered and(Entered more) {
      return new Entered(queued + more.queued, overCap + more.overCap, skipped + more.skipped);
    }
  }

  /** Of the owner, and of all domains. */
  record Added(Entered own, Entered all) {
    private Added and(Entered more, boolean isOwn) {
      return new Added(isOwn ? own.and(more) : own, all.and(more));
    }
  }

  private record Key(long domain, UUID hash) {}

  private record Candidate(int finder, long domain, FoundUrl url) {
    Key key() {
      return new Key(domain, url.hash());
    }
  }

  /** Prepares the URLs that are not surely known. Any thread may call it. */
  List<FoundUrl> prepare(List<QueuedUrl> urls) {
    return unchecked(urls.stream().filter(entry -> !hints.surelyKnows(entry.url())).toList());
  }

  /** Prepares URLs that may be known. Any thread may call it. */
  List<FoundUrl> unchecked(List<QueuedUrl> urls) {
    return urls.stream()
        .map(
            entry ->
                new FoundUrl(
                    entry,
                    naming.apply(entry.url()),
                    UrlHash.of(entry.url()),
                    entry.isSkipped(limits.accepted())))
        .toList();
  }

  /** The URLs are durable. One thread at a time calls it. */
  void stored(Stream<FoundUrl> urls) {
    urls.forEach(found -> hints.know(found.entry().url()));
  }

  /** Inserts what is new; returns for each of the finds how much that is. */
  List<Added> add(PostgresSession tx, List<Finds> all) {
    List<Added> added = new ArrayList<>();
    all.forEach(_ -> added.add(new Added(Entered.NONE, Entered.NONE)));
    List<Candidate> candidates = candidates(tx, all);
    if (candidates.isEmpty()) {
      return added;
    }
    SortedMap<Long, Entered> arrivals = new TreeMap<>();
    List<Candidate> fitting =
        fitting(tx, candidates, all, (one, entered) -> count(one, entered, all, added, arrivals));
    Map<Key, Long> entered = insert(tx, fitting, all);
    for (Candidate one : fitting) {
      Long id = entered.remove(one.key());
      if (id != null) {
        boolean skipped = one.url().skipped();
        count(one, new Entered(skipped ? 0 : 1, 0, skipped ? 1 : 0), all, added, arrivals);
        one.url()
            .entry()
            .fallback()
            .ifPresent(
                url ->
                    tx.sql.update(
                        "INSERT INTO fallbacks (url_id, url) VALUES (?, ?) ON CONFLICT DO NOTHING",
                        id,
                        url.toString()));
      }
    }
    arrive(tx, arrivals);
    return added;
  }

  private static void count(
      Candidate one,
      Entered entered,
      List<Finds> all,
      List<Added> added,
      SortedMap<Long, Entered> arrivals) {
    boolean own = all.get(one.finder()).owner() == one.domain();
    added.set(one.finder(), added.get(one.finder()).and(entered, own));
    if (!own) {
      arrivals.merge(one.domain(), entered, Entered::and);
    }
  }

  /** The holders of these domains, or a sweep, add these numbers to their counters. */
  private static void arrive(PostgresSession tx, SortedMap<Long, Entered> arrivals) {
    if (arrivals.isEmpty()) {
      return;
    }
    List<Entered> counts = List.copyOf(arrivals.values());
    tx.sql.update(
        """
        INSERT INTO arrivals (domain_id, discovered, over_cap, skipped)
        SELECT * FROM unnest(?::bigint[], ?::int[], ?::int[], ?::int[])
        """,
        tx.longs(arrivals.keySet()),
        tx.numbers(counts.stream().map(Entered::queued).toList()),
        tx.numbers(counts.stream().map(Entered::overCap).toList()),
        tx.numbers(counts.stream().map(Entered::skipped).toList()));
  }

  /** Each URL once, with the id of its domain. */
  private List<Candidate> candidates(PostgresSession tx, List<Finds> all) {
    Map<DomainName, DomainIds.Opening> openings = new LinkedHashMap<>();
    Set<CrawlUrl> met = new HashSet<>();
    for (Finds finds : all) {
      for (FoundUrl url : finds.urls()) {
        boolean fresh = met.add(url.entry().url());
        boolean seed = url.entry().isSeed();
        DomainIds.Opening one =
            new DomainIds.Opening(fresh && !url.skipped() ? 1 : 0, seed ? 0 : 1, seed);
        openings.merge(url.domain(), one, DomainIds.Opening::and);
      }
    }
    if (openings.isEmpty()) {
      return List.of();
    }
    Map<DomainName, Long> domains = ids.of(tx, openings);
    Map<Key, Candidate> once = new LinkedHashMap<>();
    for (int finder = 0; finder < all.size(); finder++) {
      for (FoundUrl url : all.get(finder).urls()) {
        Long domain = domains.get(url.domain());
        if (domain != null) {
          Candidate candidate = new Candidate(finder, domain, url);
          once.putIfAbsent(candidate.key(), candidate);
        }
      }
    }
    return List.copyOf(once.values());
  }

  private interface OverCap {
    void count(Candidate one, Entered entered);
  }

  /** Those that their domains have room for. Only near the limit is it asked which are known. */
  private List<Candidate> fitting(
      PostgresSession tx, List<Candidate> candidates, List<Finds> all, OverCap overCap) {
    record Room(long domain, boolean skipped) {}
    Map<Room, Long> room = new HashMap<>();
    Map<Room, Long> wanted = new HashMap<>();
    candidates.forEach(
        one -> wanted.merge(new Room(one.domain(), one.url().skipped()), 1L, Long::sum));
    tx.sql.each(
        """
        SELECT d.id, d.frontier_size + coalesce(sum(a.discovered), 0),
          d.urls_skipped + coalesce(sum(a.skipped), 0)
        FROM domains d LEFT JOIN arrivals a ON a.domain_id = d.id
        WHERE d.id = ANY (?) GROUP BY d.id
        """,
        row -> {
          room.put(new Room(row.getLong(1), false), limits.maxUnfinished() - row.getLong(2));
          room.put(new Room(row.getLong(1), true), limits.maxUnfinished() - row.getLong(3));
        },
        tx.longs(candidates.stream().map(Candidate::domain).distinct().toList()));
    for (Finds finds : all) {
      room.computeIfPresent(
          new Room(finds.owner(), false), (_, places) -> places + finds.finished());
    }
    Set<Room> narrow = new HashSet<>(wanted.keySet());
    narrow.removeIf(one -> room.getOrDefault(one, 0L) >= Objects.requireNonNull(wanted.get(one)));
    if (narrow.isEmpty()) {
      return candidates;
    }
    List<Candidate> close =
        candidates.stream()
            .filter(one -> narrow.contains(new Room(one.domain(), one.url().skipped())))
            .toList();
    Set<Key> known = new HashSet<>();
    tx.sql.each(
        """
        SELECT f.domain_id, f.url_hash FROM unnest(?::bigint[], ?::uuid[]) AS u(domain_id, hash)
        JOIN domain_frontier f ON f.domain_id = u.domain_id AND f.url_hash = u.hash
        """,
        row -> known.add(new Key(row.getLong(1), UUID.fromString(row.getString(2)))),
        tx.longs(close.stream().map(Candidate::domain).toList()),
        tx.hashes(close.stream().map(one -> one.url().hash()).toList()));
    List<Candidate> fitting = new ArrayList<>();
    for (Candidate one : candidates) {
      Room place = new Room(one.domain(), one.url().skipped());
      if (!narrow.contains(place)) {
        fitting.add(one);
      } else if (!known.contains(one.key())) {
        long left = room.merge(place, -1L, Long::sum);
        if (left >= 0) {
          fitting.add(one);
        } else {
          overCap.count(one, new Entered(0, 1, 0));
        }
      }
    }
    return fitting;
  }

  private Map<Key, Long> insert(PostgresSession tx, List<Candidate> candidates, List<Finds> all) {
    Map<Key, Long> entered = new HashMap<>();
    if (candidates.isEmpty()) {
      return entered;
    }
    Map<CrawlUrl, Long> referrers = referrers(tx, candidates, all);
    Map<String, Long> sources = sources(tx, candidates);
    List<@Nullable Long> referrer = new ArrayList<>();
    List<@Nullable Long> source = new ArrayList<>();
    for (Candidate one : candidates) {
      referrer.add(one.url().entry().referrer().map(referrers::get).orElse(null));
      source.add(one.url().entry().source().map(sources::get).orElse(null));
    }
    List<QueuedUrl> entries = candidates.stream().map(one -> one.url().entry()).toList();
    tx.sql.each(
        INSERT,
        row ->
            entered.put(new Key(row.getLong(1), UUID.fromString(row.getString(2))), row.getLong(3)),
        tx.longs(candidates.stream().map(Candidate::domain).toList()),
        tx.numbers(referrer),
        tx.numbers(source),
        tx.hashes(candidates.stream().map(one -> one.url().hash()).toList()),
        tx.numbers(entries.stream().map(FrontierCodes::place).toList()),
        tx.numbers(entries.stream().map(_ -> tx.now() / 1000).toList()),
        tx.numbers(entries.stream().map(QueuedUrl::depth).toList()),
        tx.numbers(entries.stream().map(QueuedUrl::hops).toList()),
        tx.numbers(entries.stream().map(entry -> FrontierCodes.code(entry.kind())).toList()),
        tx.numbers(
            candidates.stream()
                .map(one -> one.url().skipped() ? FrontierCodes.SKIPPED : 0)
                .toList()),
        tx.texts(entries.stream().map(entry -> entry.url().toString()).toList()));
    return entered;
  }

  /** The row ids of the pages that URLs were found on. */
  private Map<CrawlUrl, Long> referrers(
      PostgresSession tx, List<Candidate> candidates, List<Finds> all) {
    Map<CrawlUrl, Long> known = new HashMap<>();
    all.forEach(finds -> known.putAll(finds.referrers()));
    Set<CrawlUrl> others = new HashSet<>();
    for (Candidate one : candidates) {
      one.url().entry().referrer().filter(url -> !known.containsKey(url)).ifPresent(others::add);
    }
    find(tx, others).forEach(known::putIfAbsent);
    return known;
  }

  /** The row ids of known URLs. */
  Map<CrawlUrl, Long> find(PostgresSession tx, Set<CrawlUrl> urls) {
    Map<CrawlUrl, Long> found = new HashMap<>();
    if (urls.isEmpty()) {
      return found;
    }
    Map<String, CrawlUrl> byText = new HashMap<>();
    urls.forEach(url -> byText.put(url.toString(), url));
    List<CrawlUrl> list = List.copyOf(urls);
    tx.sql.each(
        """
        SELECT f.url, f.id FROM unnest(?::text[], ?::uuid[]) AS u(domain, hash)
        JOIN domains d ON d.domain = u.domain
        JOIN domain_frontier f ON f.domain_id = d.id AND f.url_hash = u.hash
        """,
        row -> {
          CrawlUrl url = byText.get(row.getString(1));
          if (url != null) {
            found.put(url, row.getLong(2));
          }
        },
        tx.texts(list.stream().map(url -> naming.apply(url).name()).toList()),
        tx.hashes(list.stream().map(UrlHash::of).toList()));
    return found;
  }

  private static Map<String, Long> sources(PostgresSession tx, List<Candidate> candidates) {
    Set<String> names = new java.util.TreeSet<>();
    candidates.forEach(one -> one.url().entry().source().ifPresent(names::add));
    Map<String, Long> sources = new HashMap<>();
    if (names.isEmpty()) {
      return sources;
    }
    tx.sql.update(
        "INSERT INTO sources (name, created_at) SELECT name, ? FROM unnest(?::text[]) AS u(name)"
            + " ORDER BY name ON CONFLICT (name) DO NOTHING",
        tx.now(),
        tx.texts(names));
    tx.sql.each(
        "SELECT name, id FROM sources WHERE name = ANY (?)",
        row -> sources.put(row.getString(1), row.getLong(2)),
        tx.texts(names));
    return sources;
  }
}
