package dev.comity.store;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.DomainStatus;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.Claim;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier;
import dev.comity.core.port.Note;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Renewal;
import dev.comity.core.port.RobotsCopy;
import dev.comity.core.port.Run;
import dev.comity.core.port.RunEnding;
import dev.comity.core.port.RunTerms;
import dev.comity.core.port.Settlement;
import dev.comity.core.trap.Tally;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Domains, claims, frontiers and all that is remembered of them, in a data directory. One process
 * has it open at a time.
 */
public final class SqliteStore implements CrawlStore, Frontier, AutoCloseable {
  private static final int HINTS = 1 << 18;

  /**
   * What is inserted comes back to the same pages: at 20 M URLs a quarter of this halves the rate.
   */
  private static final int WRITER_CACHE_KIB = 256 << 10;

  private static final int READER_CACHE_KIB = 16 << 10;

  /** How soon a domain with nothing else to ask looks whether one in doubt may be. */
  private static final Duration QUARANTINE_WAIT = Duration.ofMillis(250);

  private static final int LEAST_AHEAD = 2;
  private static final int MOST_AHEAD = 32;

  private final StoreSettings settings;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final DataDirectory.Hold hold;
  private final Statements writing;
  private final GroupWriter writer;
  private final Checkpoints checkpoints;
  private final ReaderThread reader;
  private final Statements reading;
  private final ReadAhead readAhead;
  private final PriorityBook priorities;
  private final RunBook runs;
  private final DomainBook domains;
  private final UrlBook urls;
  private final ClaimBook claims;
  private final Sweep sweep;
  private final SettleBook settling;
  private final SeenHints hints = new SeenHints(HINTS);
  private final Quarantine quarantine = new Quarantine();
  private final String worker;
  private final Map<DomainName, HeldDomain> held = new ConcurrentHashMap<>();

  /**
   * Opens it, making it where there is none; ends the claims a crawl before us may have left.
   *
   * @throws DirectoryInUse if another crawl has it
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static SqliteStore open(DataDirectory directory, StoreSettings settings) {
    return open(directory, settings, UrlKey::new);
  }

  /** With other keys: a test wants bad ones. */
  static SqliteStore open(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    DataDirectory.Hold hold = directory.hold();
    try {
      Schema.migrate(directory);
      return new SqliteStore(directory, hold, settings, keys);
    } catch (SQLException failed) {
      hold.close();
      throw new StoreUnusable(
          "cannot open " + directory.path() + ": " + failed.getMessage(), failed);
    } catch (RuntimeException failed) {
      hold.close();
      throw failed;
    }
  }

  private SqliteStore(
      DataDirectory directory,
      DataDirectory.Hold hold,
      StoreSettings settings,
      Supplier<ToLongFunction<CrawlUrl>> keys)
      throws SQLException {
    this.hold = hold;
    this.settings = settings;
    this.keys = keys;
    worker = settings.worker() + "-" + UUID.randomUUID();
    writing = new Statements(directory.writing());
    writing.each("PRAGMA wal_autocheckpoint = 0", _ -> {});
    writing.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
    reading = new Statements(directory.reading());
    reading.execute("PRAGMA cache_size = -" + READER_CACHE_KIB);
    reader = new ReaderThread(reading);
    readAhead = new ReadAhead(reading);
    writer = new GroupWriter(writing, settings.trouble());
    priorities = new PriorityBook(settings.priority());
    runs = new RunBook(writing, settings.policy().minimumInterval());
    domains =
        new DomainBook(
            writing, settings.policy(), new Subdomains(writing, settings.mostSubdomains()));
    urls =
        new UrlBook(
            writing,
            domains,
            hints,
            settings.mostUnfinished(),
            settings.grouping()::domainOf,
            keys);
    claims =
        new ClaimBook(
            writing, settings.policy(), domains, runs, priorities, worker, settings.lease());
    sweep = new Sweep(writing, settings.policy(), domains, runs);
    settling = new SettleBook(writing, claims, runs, urls, domains, settings.keepText());
    checkpoints = new Checkpoints(directory, writing);
    List.of(domains, urls, runs, settling, checkpoints).forEach(writer::follow);
    writer.start();
    checkpoints.start();
    write(
        () -> {
          Recovery.run(writing, worker, settings.worker(), now());
          return true;
        });
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return write(() -> runs.begin(terms, now.toEpochMilli()));
  }

  @Override
  public void end(RunEnding ending, Instant now) {
    write(
        () -> {
          runs.end(ending, now.toEpochMilli());
          return true;
        });
  }

  /** Keeps the run to these domains: others that have work left are not claimed in it. */
  public void confine(Collection<DomainName> domains) {
    write(
        () -> {
          new Confinement(writing).confine(runs.id(), domains, now());
          return true;
        });
  }

  /**
   * Makes everything known of those of these domains that are exhausted due again.
   *
   * @return how many URLs that are
   */
  public int again(Collection<DomainName> domains, Instant now) {
    Revisits revisits = new Revisits(writing, settings.policy());
    int due = 0;
    for (DomainName domain : domains) {
      due += write(() -> revisit(revisits, domain, now.toEpochMilli()));
    }
    return due;
  }

  private int revisit(Revisits revisits, DomainName domain, long now) throws SQLException {
    int due = revisits.again(domain, now);
    this.domains.forget(domain);
    return due;
  }

  /**
   * Waits no longer for what keeps it from writing, a full disk say: what cannot be written fails.
   */
  public void hurry() {
    writer.hurry();
  }

  @Override
  public int add(List<QueuedUrl> list, Instant now) {
    return enter(list, now).added();
  }

  /**
   * What became of URLs that were to enter; all others were known.
   *
   * @param noRoom for which their domains had no room
   */
  public record Entered(int added, int noRoom) {}

  /** Adds URLs as {@link #add} does. */
  public Entered enter(List<QueuedUrl> list, Instant now) {
    List<Arrival> arrivals = arrivals(list);
    if (arrivals.isEmpty()) {
      return new Entered(0, 0);
    }
    UrlBook.Added added =
        write(() -> urls.add(arrivals, OptionalLong.empty(), urls::find, now.toEpochMilli()));
    entered(arrivals);
    return new Entered(added.all(), added.allOverCap());
  }

  @Override
  public List<Claim> claim(int most, Instant now) {
    long millis = now.toEpochMilli();
    record Swept(List<DomainName> ended, List<ClaimBook.Granted> granted) {}
    Swept swept = write(() -> new Swept(sweep.run(millis), claims.claim(most, millis)));
    // Whose lease has run out is handed nothing more, though it never comes to a write.
    swept.ended().stream().map(held::get).filter(Objects::nonNull).forEach(this::drop);
    swept.granted().forEach(this::take);
    return swept.granted().stream().map(ClaimBook.Granted::claim).toList();
  }

  @Override
  public Optional<Claim> borrow(DomainName domain, Instant now) {
    long millis = now.toEpochMilli();
    record Swept(List<DomainName> ended, Optional<ClaimBook.Granted> granted) {}
    Swept swept = write(() -> new Swept(sweep.run(millis), claims.borrow(domain, millis)));
    swept.ended().stream().map(held::get).filter(Objects::nonNull).forEach(this::drop);
    swept.granted().ifPresent(this::take);
    return swept.granted().map(ClaimBook.Granted::claim);
  }

  private void take(ClaimBook.Granted granted) {
    Claim claim = granted.claim();
    held.put(
        claim.domain(),
        new HeldDomain(
            claim.domain(),
            granted.id(),
            claim.token(),
            DomainStatus.ACTIVE,
            claim.job().streak()));
  }

  @Override
  public Optional<Instant> nextClaimable(Instant now) {
    return reader.read(
        sql ->
            sql.first(
                """
                SELECT claimable_at FROM domains INDEXED BY domains_waiting
                WHERE claimable_at > 0 AND claimable_at > ? AND claimed_by IS NULL
                ORDER BY claimable_at LIMIT 1
                """,
                row -> Instant.ofEpochMilli(row.getLong(1)),
                now.toEpochMilli()));
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Set<DomainName> lost = write(() -> claims.renew(list, now.toEpochMilli()));
    return new Renewal(lost, claims.until(now.toEpochMilli()));
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public Next next(Claim claim, Instant now) {
    HeldDomain domain = held(claim);
    synchronized (domain) {
      domain.heedArrivals();
      if (domain.ahead.isEmpty() || domain.nextDue <= now.toEpochMilli()) {
        lookAhead(domain, now.toEpochMilli());
      }
      HeldDomain.Waiting next = admitted(domain);
      if (next == null) {
        return domain.ahead.isEmpty()
            ? ReadAhead.none(domain)
            : new Next.DueAt(now.plus(QUARANTINE_WAIT));
      }
      domain.inFlight.put(next.entry().url(), next);
      long at = now();
      writer.later(
          () ->
              writing.update(
                  """
                  INSERT INTO in_flight (url_id, domain_id, taken_at) VALUES (?, ?, ?)
                  ON CONFLICT (url_id) DO UPDATE SET taken = 1, taken_at = excluded.taken_at
                  """,
                  next.id(),
                  domain.id,
                  at));
      return new Next.Ready(next.entry());
    }
  }

  /** The first that may be asked; of those in doubt only one is at a time. */
  private HeldDomain.@Nullable Waiting admitted(HeldDomain domain) {
    for (Iterator<HeldDomain.Waiting> ahead = domain.ahead.iterator(); ahead.hasNext(); ) {
      HeldDomain.Waiting next = ahead.next();
      if (quarantine.admits(next)) {
        ahead.remove();
        return next;
      }
    }
    return null;
  }

  /** What has become due takes its place in the queue first. */
  private void lookAhead(HeldDomain domain, long now) {
    int most = Math.clamp(settings.mostAhead() / Math.max(1, held.size()), LEAST_AHEAD, MOST_AHEAD);
    fill(domain, most);
    if (domain.nextDue <= now) {
      write(
          () ->
              writing.update(
                  "UPDATE domain_frontier SET due_at = NULL WHERE domain_id = ? AND state = 0"
                      + " AND due_at IS NOT NULL AND due_at <= ?",
                  domain.id,
                  now));
      fill(domain, most);
    }
  }

  private void fill(HeldDomain domain, int most) {
    reader.read(
        _ -> {
          readAhead.fill(domain, most);
          return true;
        });
  }

  @Override
  public void settle(Claim claim, Settlement settlement) {
    HeldDomain domain = held(claim);
    synchronized (domain) {
      HeldDomain.Waiting waiting = domain.inFlight.get(settlement.entry().url());
      if (waiting == null || !waiting.entry().equals(settlement.entry())) {
        // Said again. Whoever lost the claim is to hear of it all the same.
        fenced(domain, () -> requireHeld(domain));
        return;
      }
      long at = now();
      SettleBook.Settling ready =
          new SettleBook.Settling(
              domain,
              waiting,
              settlement,
              SettleBook.Columns.of(domain, settlement.state(), at),
              arrivals(settlement.found()),
              contentHash(settlement),
              at);
      fenced(domain, () -> settling.settle(ready));
      settled(domain, settlement, ready.found());
    }
  }

  private void settled(HeldDomain domain, Settlement settlement, List<Arrival> found) {
    HeldDomain.Waiting settled = domain.inFlight.remove(settlement.entry().url());
    if (settled != null) {
      quarantine.leave(settled);
    }
    domain.streak = settlement.after(domain.streak);
    domain.written(settlement.state());
    switch (settlement.fate()) {
      case Fate.Retry(var due, _) ->
          domain.nextDue = Math.min(domain.nextDue, StateColumns.ceilMillis(due));
      case Fate.Returned _ -> domain.lookAgain();
      case Fate.Done _, Fate.Failed _, Fate.Denied _, Fate.Suppressed _, Fate.Moved _ -> {}
    }
    entered(found);
  }

  private void entered(List<Arrival> found) {
    for (Arrival arrival : found) {
      HeldDomain domain = held.get(arrival.domain());
      if (domain != null) {
        domain.entered(Arrival.place(arrival.entry()));
      }
    }
  }

  @Override
  public void record(Claim claim, Note note) {
    HeldDomain domain = held(claim);
    synchronized (domain) {
      List<Arrival> found = arrivals(note.found());
      long at = now();
      fenced(
          domain,
          () -> {
            settling.note(domain, note, found, at);
            return true;
          });
      domain.written(note.state());
      entered(found);
    }
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    HeldDomain domain = held(claim);
    synchronized (domain) {
      fenced(domain, () -> claims.release(domain, state, ending, now.toEpochMilli()));
      drop(domain);
    }
  }

  private void drop(HeldDomain domain) {
    held.remove(domain.name, domain);
    domain.inFlight.values().forEach(quarantine::leave);
  }

  @Override
  public void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    write(
        () -> {
          claims.takeBack(domain, change, now());
          return true;
        });
  }

  @Override
  public void recalculatePriorities(Instant now) {
    long at = now.toEpochMilli();
    long last = 0;
    while (true) {
      long from = last;
      List<PriorityBook.Score> scores = reader.read(sql -> priorities.after(sql, from, at));
      if (scores.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      write(
          () -> {
            PriorityBook.write(writing, scores, at);
            return true;
          });
      last = scores.getLast().id();
    }
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    write(
        () -> {
          priorities.rank(writing, ranks, now.toEpochMilli());
          return true;
        });
  }

  @Override
  public void order(List<DomainName> list, Instant now) {
    write(
        () -> {
          priorities.order(writing, list, now.toEpochMilli());
          return true;
        });
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return reader.read(
        sql ->
            sql.first(
                "SELECT policy_state FROM domains WHERE domain = ?",
                row -> DomainStateJson.decode(row.getString(1)),
                domain.name()));
  }

  @Override
  public List<Tally> templates(DomainName domain) {
    return reader.read(sql -> Templates.of(sql.connection(), domain.name()));
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return reader.read(
        sql ->
            sql.first(
                "SELECT fetched_at, allowed, body FROM robots_cache WHERE authority = ?",
                row ->
                    new RobotsCopy(
                        authority,
                        Optional.ofNullable(row.getBytes(3)).map(Body::of),
                        row.getBoolean(2),
                        Instant.ofEpochMilli(row.getLong(1))),
                authority.toString()));
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE domain_id ="
            + " (SELECT id FROM domains WHERE domain = ?) HAVING count(*) > 0",
        domain.name());
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE source_id ="
            + " (SELECT id FROM sources WHERE name = ?) HAVING count(*) > 0",
        source);
  }

  private Optional<Instant> lastStart(String query, String name) {
    return reader.read(sql -> sql.first(query, row -> Instant.ofEpochMilli(row.getLong(1)), name));
  }

  private List<Arrival> arrivals(List<QueuedUrl> list) {
    return Arrival.of(list, settings.grouping()::domainOf, hints, keys.get());
  }

  private static Optional<Body> contentHash(Settlement settlement) {
    return settlement.fetched().isPresent()
            && settlement.fetched().get().outcome() instanceof Success page
        ? Optional.of(Body.of(Sha256.of(page.body().bytes())))
        : Optional.empty();
  }

  private boolean requireHeld(HeldDomain domain) throws SQLException {
    if (!claims.holds(domain.id, domain.token)) {
      throw new ClaimLost(domain.name, domain.token);
    }
    return true;
  }

  /** A write on behalf of a claim; who has lost it is not asked again. */
  private void fenced(HeldDomain domain, GroupWriter.Work<?> work) {
    try {
      writer.write(work);
    } catch (ClaimLost lost) {
      drop(domain);
      throw lost;
    }
  }

  private <T> T write(GroupWriter.Work<T> work) {
    return writer.write(work);
  }

  private HeldDomain held(Claim claim) {
    HeldDomain domain = held.get(claim.domain());
    if (domain == null || domain.token != claim.token()) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return domain;
  }

  private long now() {
    return settings.clock().instant().toEpochMilli();
  }

  /** Leaves everything written and the directory to others. */
  @Override
  public void close() {
    try (hold) {
      try {
        write(
            () -> {
              Recovery.leave(writing, worker, now());
              return true;
            });
      } finally {
        writer.close();
        reader.close();
        reading.close();
        writing.close();
        checkpoints.close();
      }
    } catch (SQLException failed) {
      throw new StoreUnusable("closing failed: " + failed.getMessage(), failed);
    }
  }
}
