package dev.comity.store.crawl;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import dev.comity.store.crawl.SingleInserts.Result;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts URLs into frontiers, each once. Runs in the writer's thread, except {@link #arrivals}.
 *
 * <p>A URL is found by its key, and its text decides. One statement inserts many URLs. A conflict
 * with the same text is a known URL. A conflict with another text is a hash collision: the
 * statement then returns the row it met, and {@link SingleInserts} inserts those URLs one at a
 * time.
 */
public final class FrontierWriter implements GroupWriter.Follower {
  static final String COLUMNS =
      "domain_id, authority_no, target, url_key, place, depth, hops, referrer_id, source_id,"
          + " discovered_at, kind, state";
  static final int WIDTH = 12;
  private static final int MOST_ROWS = 64;

  /** Insert statements by their number of rows. */
  private static final Map<Integer, String> INSERTS =
      IntStream.iterate(1, rows -> rows <= MOST_ROWS, rows -> rows * 2)
          .boxed()
          .collect(Collectors.toMap(Function.identity(), FrontierWriter::insertOf));

  /** The URLs of one domain together, in the order in which they were found. */
  private static final Comparator<Arrival> BY_DOMAIN =
      Comparator.comparing(arrival -> arrival.domain().name());

  private static final int DOMAINS_IN_MEMORY = 50_000;

  private final Statements sql;
  private final DomainRows rows;
  private final SeenHints hints;
  private final StoreLimits limits;
  private final Function<CrawlUrl, DomainName> naming;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final SingleInserts singly;
  private final List<CrawlUrl> stored = new ArrayList<>();
  private final Map<DomainName, KnownDomain> domains = BoundedMap.byUse(DOMAINS_IN_MEMORY);
  private long lastId;

  public FrontierWriter(
      Statements sql,
      DomainRows rows,
      SeenHints hints,
      StoreLimits limits,
      Function<CrawlUrl, DomainName> naming,
      Supplier<ToLongFunction<CrawlUrl>> keys) {
    this.sql = sql;
    this.rows = rows;
    this.hints = hints;
    this.limits = limits;
    this.naming = naming;
    this.keys = keys;
    singly = new SingleInserts(sql, this);
    lastId = newestId();
  }

  /**
   * A URL to insert, prepared by the thread that found it.
   *
   * @param skipped whether it is stored as known and never requested
   */
  public record Arrival(
      QueuedUrl entry,
      DomainName domain,
      String authority,
      String target,
      long key,
      boolean skipped) {
    private static Arrival of(QueuedUrl entry, DomainName domain, long key, boolean skipped) {
      String text = entry.url().toString();
      String target = entry.url().target();
      String authority = text.substring(0, text.length() - target.length());
      return new Arrival(entry, domain, authority, target, key, skipped);
    }
  }

  /** A domain's row, as far as inserting URLs needs it; both counts have the same limit. */
  static final class KnownDomain {
    final long id;
    final Map<String, Integer> authorities = new HashMap<>();

    /** Queued, deferred and in flight. */
    long unfinished;

    /** URLs that are never requested. */
    long skipped;

    /** Not claimed and without work that is due: an arrival must wake it. */
    boolean asleep;

    KnownDomain(long id) {
      this.id = id;
    }

    long kept(boolean isSkipped) {
      return isSkipped ? skipped : unfinished;
    }

    void keep(int more, boolean isSkipped) {
      if (isSkipped) {
        skipped += more;
      } else {
        unfinished += more;
      }
    }
  }

  /** Row ids of the pages that URLs were found on; null for an unknown page. */
  public interface Referrers {
    @Nullable Long id(CrawlUrl url);
  }

  /** How many new URLs are queued, over the limit, or stored as skipped. */
  public record Entered(int queued, int overCap, int skipped) {
    static final Entered NONE = new Entered(0, 0, 0);

    Entered and(Entered more) {
      return new Entered(queued + more.queued, overCap + more.overCap, skipped + more.skipped);
    }
  }

  /** Of the domain that URLs were added for, and of all. */
  public record Added(Entered own, Entered all) {}

  /** Prepares the URLs that are not surely known. Any thread may call it. */
  public List<Arrival> arrivals(List<QueuedUrl> urls) {
    ToLongFunction<CrawlUrl> key = keys.get();
    List<Arrival> arrivals = new ArrayList<>();
    for (QueuedUrl entry : urls) {
      CrawlUrl url = entry.url();
      if (!hints.surelyKnows(url)) {
        boolean skipped = entry.isSkipped(limits.accepted());
        arrivals.add(Arrival.of(entry, naming.apply(url), key.applyAsLong(url), skipped));
      }
    }
    arrivals.sort(BY_DOMAIN);
    return arrivals;
  }

  /** Prepares URLs that may be known. Any thread may call it. */
  public List<Arrival> unchecked(List<QueuedUrl> urls) {
    return urls.stream().map(this::arrival).sorted(BY_DOMAIN).toList();
  }

  /** Adds a URL that is not known; returns 0 if its domain has no room. */
  public int enter(QueuedUrl url, Instant now) {
    return add(unchecked(List.of(url)), OptionalLong.empty(), this::find, now.toEpochMilli())
        .all()
        .queued();
  }

  private Arrival arrival(QueuedUrl entry) {
    CrawlUrl url = entry.url();
    boolean skipped = entry.isSkipped(limits.accepted());
    return Arrival.of(entry, naming.apply(url), keys.get().applyAsLong(url), skipped);
  }

  /** Several lists of arrivals as one, for one call of {@link #add}. */
  static List<Arrival> together(Stream<List<Arrival>> lists) {
    return lists.flatMap(List::stream).sorted(BY_DOMAIN).toList();
  }

  /**
   * Inserts URLs and returns how many are new.
   *
   * @param owner the caller writes the counters of this domain; others get a row of arrivals
   */
  public Added add(List<Arrival> arrivals, OptionalLong owner, Referrers referrers, long now) {
    Entered own = Entered.NONE;
    Entered all = Entered.NONE;
    for (int from = 0, to; from < arrivals.size(); from = to) {
      DomainName name = arrivals.get(from).domain();
      to = from + 1;
      while (to < arrivals.size() && arrivals.get(to).domain().equals(name)) {
        to++;
      }
      List<Arrival> ofOne = arrivals.subList(from, to);
      boolean onlyLinks = ofOne.stream().noneMatch(arrival -> arrival.entry().isSeed());
      if (onlyLinks && !admitsLinksTo(name)) {
        rows.leaveOut(name, ofOne.size());
        continue;
      }
      List<Arrival> wanted = ofOne.stream().filter(arrival -> !arrival.skipped()).toList();
      List<Arrival> skipped = ofOne.stream().filter(Arrival::skipped).toList();
      KnownDomain domain = domain(name, wanted, now);
      Entered entered =
          insert(domain, wanted, referrers, now).and(insert(domain, skipped, referrers, now));
      all = all.and(entered);
      if (owner.isPresent() && owner.getAsLong() == domain.id) {
        own = own.and(entered);
      } else if (!entered.equals(Entered.NONE)) {
        countForHolder(domain, entered, now);
      }
    }
    return new Added(own, all);
  }

  /** The domain's holder adds these numbers to its counters later; a sleeping domain wakes. */
  private void countForHolder(KnownDomain domain, Entered entered, long now) {
    sql.update(
        "INSERT INTO arrivals (domain_id, discovered, over_cap, skipped) VALUES (?, ?, ?, ?)",
        domain.id,
        entered.queued(),
        entered.overCap(),
        entered.skipped());
    if (domain.asleep && entered.queued() > 0) {
      domain.asleep = false;
      rows.wake(domain.id, now);
    }
  }

  /** Either all of them are skipped or none is. */
  private Entered insert(
      KnownDomain domain, List<Arrival> arrivals, Referrers referrers, long now) {
    if (arrivals.isEmpty()) {
      return Entered.NONE;
    }
    boolean skipped = arrivals.getFirst().skipped();
    int added = 0;
    int overCap = 0;
    // Only a seed has a fallback, and only a new one stores it.
    if (domain.kept(skipped) + arrivals.size() <= limits.maxUnfinished()
        && arrivals.stream().allMatch(arrival -> arrival.entry().fallback().isEmpty())) {
      for (int done = 0, size; done < arrivals.size(); done += size) {
        size = Integer.highestOneBit(Math.min(arrivals.size() - done, MOST_ROWS));
        List<Arrival> some = arrivals.subList(done, done + size);
        added +=
            sql.with(
                Objects.requireNonNull(INSERTS.get(size)),
                insert -> insertTogether(insert, domain, some, referrers, now));
      }
    } else {
      for (Arrival arrival : arrivals) {
        switch (insertSingly(domain, arrival, referrers, now)) {
          case NEW -> added++;
          case NO_ROOM -> overCap++;
          case KNOWN -> {}
        }
      }
    }
    return skipped ? new Entered(0, overCap, added) : new Entered(added, overCap, 0);
  }

  private int insertTogether(
      PreparedStatement insert,
      KnownDomain domain,
      List<Arrival> arrivals,
      Referrers referrers,
      long now)
      throws SQLException {
    for (int i = 0; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
      bind(insert, 1 + i * WIDTH, domain, arrival, arrival.key(), referrers, now);
    }
    int added = 0;
    int collisions = 0;
    try (ResultSet ids = insert.executeQuery()) {
      while (ids.next()) {
        // New rows have ascending ids; any other was there before, if only by a moment.
        if (ids.getLong(1) > lastId) {
          lastId = ids.getLong(1);
          added++;
        } else {
          collisions++;
        }
      }
    }
    domain.keep(added, arrivals.getFirst().skipped());
    for (Arrival arrival : arrivals) {
      if (collisions == 0) {
        stored.add(arrival.entry().url());
      } else if (insertSingly(domain, arrival, referrers, now) == Result.NEW) {
        added++;
      }
    }
    return added;
  }

  /** Binds the columns of one row from this position on. */
  void bind(
      PreparedStatement insert,
      int position,
      KnownDomain domain,
      Arrival arrival,
      long key,
      Referrers referrers,
      long now)
      throws SQLException {
    QueuedUrl entry = arrival.entry();
    insert.setLong(position, domain.id);
    int authority =
        domain.authorities.computeIfAbsent(
            arrival.authority(), text -> rows.insertAuthority(domain, text));
    insert.setInt(position + 1, authority);
    insert.setString(position + 2, arrival.target());
    insert.setLong(position + 3, key);
    insert.setInt(position + 4, FrontierCodes.place(entry));
    insert.setInt(position + 5, entry.depth());
    insert.setInt(position + 6, entry.hops());
    Long referrer = entry.referrer().isPresent() ? referrers.id(entry.referrer().get()) : null;
    Statements.bind(insert, position + 7, referrer);
    Long source = entry.source().isPresent() ? rows.source(entry.source().get(), now) : null;
    Statements.bind(insert, position + 8, source);
    insert.setLong(position + 9, now / 1000);
    insert.setInt(position + 10, FrontierCodes.code(entry.kind()));
    insert.setInt(position + 11, arrival.skipped() ? FrontierCodes.SKIPPED : 0);
  }

  private Result insertSingly(KnownDomain domain, Arrival arrival, Referrers referrers, long now) {
    boolean hasRoom = domain.kept(arrival.skipped()) < limits.maxUnfinished();
    Result result = singly.insert(lastId + 1, domain, arrival, hasRoom, referrers, now);
    lastId += result == Result.NEW ? 1 : 0;
    if (result != Result.NO_ROOM) {
      stored.add(arrival.entry().url());
    }
    return result;
  }

  /**
   * A conflict with another text changes nothing in that row but returns it; its id shows that the
   * row is not new. SQLite keeps a copy of every touched page, to undo one statement, unless two
   * things hold: a failure undoes the transaction, and the updated column may be NULL.
   */
  private static String insertOf(int rows) {
    return "INSERT OR ROLLBACK INTO domain_frontier ("
        + COLUMNS
        + ") VALUES "
        + "(?,?,?,?,?,?,?,?,?,?,?,?),".repeat(rows - 1)
        + "(?,?,?,?,?,?,?,?,?,?,?,?)"
        + " ON CONFLICT (domain_id, url_key) DO UPDATE SET etag = etag"
        + " WHERE target <> excluded.target OR authority_no <> excluded.authority_no"
        + " RETURNING id";
  }

  /** The row of a domain; inserted, where it is missing, with these URLs to request. */
  private KnownDomain domain(DomainName name, List<Arrival> wanted, long now) {
    KnownDomain known = domains.get(name);
    if (known == null) {
      known = rows.findOrInsert(name, wanted, now);
      domains.put(name, known);
    }
    return known;
  }

  /** Whether a link may lead to this domain. */
  boolean admitsLinksTo(DomainName name) {
    return domains.containsKey(name) || rows.admitLinksTo(name);
  }

  /** The id of a domain's row, which is inserted where it is missing. */
  long idOf(DomainName name, long now) {
    return domain(name, List.of(), now).id;
  }

  /** So many URLs of this domain are finished. */
  void finished(DomainName name, int urls, long now) {
    domain(name, List.of(), now).unfinished -= urls;
  }

  /** The domain's row changes other than by arrivals and is read again. */
  public void forget(DomainName name) {
    domains.remove(name);
  }

  /** The row id of a known URL; null for an unknown one. */
  public @Nullable Long find(CrawlUrl url) {
    return singly.find(url, keys.get().applyAsLong(url), naming.apply(url));
  }

  private long newestId() {
    return sql.number("SELECT coalesce(max(id), 0) FROM domain_frontier");
  }

  @Override
  public void committed() {
    stored.forEach(hints::know);
    stored.clear();
  }

  @Override
  public void rolledBack() {
    stored.clear();
    overtaken();
  }

  @Override
  public void overtaken() {
    rows.forgetSources();
    domains.clear();
    lastId = newestId();
  }
}
