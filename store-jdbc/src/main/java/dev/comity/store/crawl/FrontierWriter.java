package dev.comity.store.crawl;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts URLs into frontiers, each once.
 *
 * <p>A URL is looked for by its key, and the text decides. They go in many to a statement; what
 * conflicts with a row of the same text is known, and what conflicts with one of another text,
 * which should hardly ever be, makes the statement answer a row that is not new. Then those URLs
 * are put in one at a time, each under the next key that is free.
 */
public final class FrontierWriter implements GroupWriter.Follower {
  private static final int[] SIZES = {64, 32, 16, 8, 4, 2};
  private static final String COLUMNS =
      "domain_id, authority_no, target, url_key, place, depth, hops, referrer_id, source_id,"
          + " discovered_at, kind, state";
  private static final int WIDTH = 12;

  private static final String INSERT_ONE =
      "INSERT INTO domain_frontier ("
          + COLUMNS
          + ", id) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (domain_id, url_key) DO NOTHING";

  /** How far from its own key a URL may have had to move. */
  private static final int MOST_PROBES = 1000;

  private static final Map<Integer, String> INSERTS = new HashMap<>();

  static {
    for (int size : SIZES) {
      INSERTS.put(size, insertOf(size));
    }
  }

  private final Statements sql;
  private final DomainCache domains;
  private final SeenHints hints;
  private final int mostUnfinished;
  private final Function<CrawlUrl, DomainName> naming;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final Map<String, Long> sources = new HashMap<>();
  private final List<CrawlUrl> stored = new ArrayList<>();
  private long lastId;

  public FrontierWriter(
      Statements sql,
      DomainCache domains,
      SeenHints hints,
      int mostUnfinished,
      Function<CrawlUrl, DomainName> naming,
      Supplier<ToLongFunction<CrawlUrl>> keys)
      throws SQLException {
    this.naming = naming;
    this.keys = keys;
    this.sql = sql;
    this.domains = domains;
    this.hints = hints;
    this.mostUnfinished = mostUnfinished;
    lastId = newestId();
  }

  /** The ids of pages that URLs may have been found on, so that they need not be looked up. */
  public interface Referrers {
    @Nullable Long id(CrawlUrl url) throws SQLException;
  }

  /**
   * How many were new and are asked, how many found no room, and how many were new and are skipped.
   *
   * @param own of the domain on whose behalf they were added
   */
  public record Added(
      int own, int ownOverCap, int ownSkipped, int all, int allOverCap, int allSkipped) {
    private static final Added NONE = new Added(0, 0, 0, 0, 0, 0);

    private Added and(Entered more, boolean isOwn) {
      return new Added(
          own + (isOwn ? more.queued() : 0),
          ownOverCap + (isOwn ? more.overCap() : 0),
          ownSkipped + (isOwn ? more.skipped() : 0),
          all + more.queued(),
          allOverCap + more.overCap(),
          allSkipped + more.skipped());
    }
  }

  /** What became of URLs of one domain that are not known yet. */
  record Entered(int queued, int overCap, int skipped) {
    private boolean isNothing() {
      return queued == 0 && overCap == 0 && skipped == 0;
    }
  }

  /**
   * Adds URLs to their frontiers and answers which of them are new.
   *
   * @param owner the domain whose counters the caller writes itself; others hear of their arrivals
   */
  public Added add(List<Arrival> arrivals, OptionalLong owner, Referrers referrers, long now)
      throws SQLException {
    Added sum = Added.NONE;
    for (int from = 0; from < arrivals.size(); ) {
      int to = from + 1;
      while (to < arrivals.size()
          && arrivals.get(to).domain().equals(arrivals.get(from).domain())) {
        to++;
      }
      DomainName name = arrivals.get(from).domain();
      List<Arrival> ofOne = arrivals.subList(from, to);
      boolean onlyLinks = ofOne.stream().noneMatch(arrival -> arrival.entry().isSeed());
      if (onlyLinks && !domains.admitsLinksTo(name)) {
        domains.leftOut(name, ofOne.size());
        from = to;
        continue;
      }
      List<Arrival> wanted = ofOne.stream().filter(arrival -> !arrival.skipped()).toList();
      DomainCache.Known domain = domains.of(name, wanted, now);
      Entered entered = enter(domain, ofOne, wanted, referrers, now);
      boolean isOwn = owner.isPresent() && owner.getAsLong() == domain.id;
      if (!isOwn && !entered.isNothing()) {
        domains.arrived(domain, entered, now);
      }
      sum = sum.and(entered, isOwn);
      from = to;
    }
    return sum;
  }

  private Entered enter(
      DomainCache.Known domain,
      List<Arrival> arrivals,
      List<Arrival> wanted,
      Referrers referrers,
      long now)
      throws SQLException {
    Entered queued = enter(domain, wanted, referrers, now);
    if (wanted.size() == arrivals.size()) {
      return queued;
    }
    List<Arrival> unwanted = arrivals.stream().filter(Arrival::skipped).toList();
    Entered skipped = enter(domain, unwanted, referrers, now);
    return new Entered(queued.queued(), queued.overCap() + skipped.overCap(), skipped.skipped());
  }

  /** Either all of them are skipped or none is. */
  private Entered enter(
      DomainCache.Known domain, List<Arrival> arrivals, Referrers referrers, long now)
      throws SQLException {
    if (arrivals.isEmpty()) {
      return new Entered(0, 0, 0);
    }
    boolean skipped = arrivals.getFirst().skipped();
    // Seeds with a fallback are few, and only a new one keeps its own.
    boolean together =
        domain.kept(skipped) + arrivals.size() <= mostUnfinished
            && arrivals.stream().allMatch(arrival -> arrival.entry().fallback().isEmpty());
    int added = 0;
    int overCap = 0;
    if (together) {
      added = insert(domain, arrivals, referrers, now);
    } else {
      for (Arrival arrival : arrivals) {
        switch (insertCarefully(domain, arrival, referrers, now)) {
          case NEW -> added++;
          case NO_ROOM -> overCap++;
          case KNOWN -> {}
        }
      }
    }
    return skipped ? new Entered(0, overCap, added) : new Entered(added, overCap, 0);
  }

  private int insert(
      DomainCache.Known domain, List<Arrival> arrivals, Referrers referrers, long now)
      throws SQLException {
    int added = 0;
    int done = 0;
    while (done < arrivals.size()) {
      int size = chunk(arrivals.size() - done);
      List<Arrival> some = arrivals.subList(done, done + size);
      added += insertTogether(domain, some, referrers, now);
      done += size;
    }
    return added;
  }

  private static int chunk(int left) {
    for (int size : SIZES) {
      if (size <= left) {
        return size;
      }
    }
    return 1;
  }

  private int insertTogether(
      DomainCache.Known domain, List<Arrival> arrivals, Referrers referrers, long now)
      throws SQLException {
    if (arrivals.size() == 1) {
      return insertCarefully(domain, arrivals.getFirst(), referrers, now) == Outcome.NEW ? 1 : 0;
    }
    PreparedStatement insert = sql.statement(Objects.requireNonNull(INSERTS.get(arrivals.size())));
    int position = 1;
    for (Arrival arrival : arrivals) {
      bind(insert, position, domain, arrival, arrival.key(), referrers, now);
      position += WIDTH;
    }
    int added = 0;
    int strangers = 0;
    long newest = lastId;
    try (ResultSet rows = insert.executeQuery()) {
      while (rows.next()) {
        long id = rows.getLong(1);
        // New rows come in ascending order; any other was there before, be it by a moment.
        if (id > newest) {
          added++;
          newest = id;
        } else {
          strangers++;
        }
      }
    }
    lastId = newest;
    domain.keep(added, arrivals.getFirst().skipped());
    for (Arrival arrival : arrivals) {
      if (strangers == 0) {
        stored.add(arrival.entry().url());
      } else if (insertCarefully(domain, arrival, referrers, now) == Outcome.NEW) {
        added++;
      }
    }
    return added;
  }

  private enum Outcome {
    NEW,
    KNOWN,
    NO_ROOM
  }

  /** One at a time: at the first free key from its own on, unless it is met on the way. */
  private Outcome insertCarefully(
      DomainCache.Known domain, Arrival arrival, Referrers referrers, long now)
      throws SQLException {
    long key = arrival.key();
    boolean hasRoom = domain.kept(arrival.skipped()) < mostUnfinished;
    while (!hasRoom || !isInserted(domain, arrival, key, referrers, now)) {
      int authority = domains.authority(domain, arrival.authority());
      var met =
          sql.first(
              "SELECT authority_no, target FROM domain_frontier WHERE domain_id = ?"
                  + " AND url_key = ?",
              row -> row.getInt(1) == authority && row.getString(2).equals(arrival.target()),
              domain.id,
              key);
      if (met.isEmpty()) {
        return Outcome.NO_ROOM;
      }
      if (met.get()) {
        stored.add(arrival.entry().url());
        return Outcome.KNOWN;
      }
      key++;
    }
    domain.keep(1, arrival.skipped());
    if (arrival.entry().fallback().isPresent()) {
      sql.update(
          "INSERT INTO fallbacks (url_id, url) VALUES (?, ?)",
          lastId,
          arrival.entry().fallback().get().toString());
    }
    stored.add(arrival.entry().url());
    return Outcome.NEW;
  }

  private boolean isInserted(
      DomainCache.Known domain, Arrival arrival, long key, Referrers referrers, long now)
      throws SQLException {
    PreparedStatement insert = sql.statement(INSERT_ONE);
    insert.setLong(WIDTH + 1, lastId + 1);
    bind(insert, 1, domain, arrival, key, referrers, now);
    if (insert.executeUpdate() == 0) {
      return false;
    }
    lastId++;
    return true;
  }

  private void bind(
      PreparedStatement insert,
      int position,
      DomainCache.Known domain,
      Arrival arrival,
      long key,
      Referrers referrers,
      long now)
      throws SQLException {
    QueuedUrl entry = arrival.entry();
    insert.setLong(position, domain.id);
    insert.setInt(position + 1, domains.authority(domain, arrival.authority()));
    insert.setString(position + 2, arrival.target());
    insert.setLong(position + 3, key);
    insert.setInt(position + 4, Arrival.place(entry));
    insert.setInt(position + 5, entry.depth());
    insert.setInt(position + 6, entry.hops());
    Long referrer = entry.referrer().isPresent() ? referrers.id(entry.referrer().get()) : null;
    Statements.bind(insert, position + 7, referrer);
    Statements.bind(
        insert,
        position + 8,
        entry.source().isPresent() ? source(entry.source().get(), now) : null);
    insert.setLong(position + 9, now / 1000);
    insert.setInt(position + 10, Arrival.code(entry.kind()));
    insert.setInt(position + 11, arrival.skipped() ? Arrival.SKIPPED : 0);
  }

  /** The row of a URL that is known; null where it is not. */
  @Nullable
  public Long find(CrawlUrl url) throws SQLException {
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
            keys.get().applyAsLong(url),
            MOST_PROBES,
            naming.apply(url).name(),
            target,
            text.substring(0, text.length() - target.length()))
        .orElse(null);
  }

  /** The id of a named set of URLs. */
  private long source(String name, long now) throws SQLException {
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

  /**
   * What conflicts with another text changes nothing in that row, but the row is answered: its id
   * tells it from a new one. A failure undoes the transaction, as it would anyhow, and the column
   * named in the update may be empty: with both, SQLite need not keep a copy of every page it
   * touches, to undo one statement.
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

  private long newestId() throws SQLException {
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
    sources.clear();
    overtaken();
  }

  @Override
  public void overtaken() {
    try {
      lastId = newestId();
    } catch (SQLException failed) {
      throw new StoreUnusable("the database cannot be read: " + failed.getMessage(), failed);
    }
  }
}
