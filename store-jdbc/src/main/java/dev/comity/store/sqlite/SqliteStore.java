package dev.comity.store.sqlite;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.Claims;
import dev.comity.store.crawl.FrontierWriter;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.HeldDomains;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.Notes;
import dev.comity.store.crawl.OutageReversal;
import dev.comity.store.crawl.OutsideUrls;
import dev.comity.store.crawl.Recovery;
import dev.comity.store.crawl.RunControl;
import dev.comity.store.crawl.Settlements;
import dev.comity.store.crawl.Sweep;
import dev.comity.store.refresh.PageHints;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.UrlKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The store of a crawl in a data directory; one process has it open at a time. Methods delegate by
 * group: runs, claims and state, frontiers, lookups.
 */
public final class SqliteStore extends SqliteLookups {
  private final DataDirectory directory;
  private final StoreSettings settings;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final DataDirectory.Hold hold;

  /** How many handles share the hold. */
  private final AtomicInteger handles;

  private final SqliteConnections connections;
  private final GroupWriter writer;
  private final String worker;

  // Claims and state.
  private final RunControl runControl;
  private final Claims claims;
  private final Sweep sweep;
  private final Settlements settlements;
  private final Notes notes;

  // Frontiers.
  private final HeldDomains held;
  private final FrontierWriter urls;
  private final OutsideUrls outside;

  /**
   * Opens it, making it where there is none; ends the claims a crawl before us may have left.
   *
   * @throws DirectoryInUse if another crawl has it
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static SqliteStore open(DataDirectory directory, StoreSettings settings) {
    return open(directory, settings, UrlKey::new);
  }

  /**
   * Changes the tables of an older program, for a crawl that reads them before it opens the store.
   *
   * @throws DirectoryInUse if another crawl has the directory
   */
  public static void upgrade(DataDirectory directory) {
    if (directory.exists()) {
      Schema.upgrade(directory);
    }
  }

  /** With other keys: a test wants bad ones. */
  public static SqliteStore open(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    DataDirectory.Hold hold = directory.hold();
    try {
      hold.crawling();
      Schema.migrate(directory);
      return new SqliteStore(directory, hold, settings, keys);
    } catch (RuntimeException failed) {
      hold.close();
      throw failed;
    }
  }

  private SqliteStore(
      DataDirectory directory,
      DataDirectory.Hold hold,
      StoreSettings settings,
      Supplier<ToLongFunction<CrawlUrl>> keys) {
    this(directory, hold, new AtomicInteger(), settings, keys);
    writer.run(
        () -> {
          Recovery.run(connections.writing, worker, settings.worker(), time());
          parts.order.open();
          sweep.resetByHand(time());
        });
  }

  private SqliteStore(
      DataDirectory directory,
      DataDirectory.Hold hold,
      AtomicInteger handles,
      StoreSettings settings,
      Supplier<ToLongFunction<CrawlUrl>> keys) {
    super(new SqliteParts(directory, settings, keys));
    this.directory = directory;
    this.hold = hold;
    this.handles = handles;
    this.settings = settings;
    this.keys = keys;
    worker = parts.worker;
    connections = parts.connections;
    writer = connections.writer;
    runControl = parts.runControl;
    claims = parts.claims;
    sweep = parts.sweep;
    settlements = parts.settlements;
    notes = parts.notes;
    held = parts.held;
    urls = parts.urls;
    outside = parts.outside;
    handles.incrementAndGet();
  }

  /**
   * The handle of another worker of this process on the same directory. Each has its own claims and
   * is closed by itself.
   */
  public SqliteStore another(String name) {
    SqliteStore other = new SqliteStore(directory, hold, handles, settings.named(name), keys);
    other.writer.run(
        () -> Recovery.join(other.connections.writing, other.worker, name, other.time()));
    return other;
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return runControl.begin(terms, worker, now, time());
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return after(sweep::endExpired, () -> runControl.end(ending, now, time()));
  }

  @Override
  public Instant now() {
    return settings.clock().instant();
  }

  @Override
  public Portion draw(long pages) {
    return runControl.draw(worker, pages);
  }

  @Override
  public Portion drawImages(long images) {
    return runControl.drawImages(worker, images);
  }

  @Override
  public void confine(Collection<DomainName> domains) {
    runControl.confine(domains, time());
  }

  @Override
  public int askForFiles(Collection<DomainName> sources, Instant now) {
    return runControl.files(sources, now);
  }

  @Override
  public int again(Collection<DomainName> domains, boolean whole, Instant now) {
    return runControl.again(domains, whole, now);
  }

  @Override
  public void hurry() {
    writer.hurry();
  }

  @Override
  public int add(List<QueuedUrl> list, Instant now) {
    List<Arrival> arrivals = urls.arrivals(list);
    if (arrivals.isEmpty()) {
      return 0;
    }
    long at = now.toEpochMilli();
    int added =
        writer.write(() -> urls.add(arrivals, OptionalLong.empty(), urls::find, at).all().queued());
    held.entered(arrivals);
    return added;
  }

  @Override
  public void describe(Map<CrawlUrl, String> captions, Instant now) {
    long at = now.toEpochMilli();
    writer.run(
        () ->
            captions.forEach(
                (url, caption) ->
                    parts.images.listed(
                        parts.runs.id(),
                        settings.grouping().domainOf(url).name(),
                        url,
                        caption,
                        at)));
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> list) {
    outside.keep(claim, list);
  }

  @Override
  public void hint(Claim claim, List<PageHint> hints) {
    Held domain = held.of(claim);
    PageHints rows = new PageHints(connections.writing, urls::find);
    int queued =
        writer.write(
            () -> {
              domain.requireClaim(connections.writing);
              return rows.take(domain.id, hints, domain.hintsLeft(), time());
            });
    domain.hinted(queued);
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return outside.take(about, inScope, now.toEpochMilli());
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    parts.order.leaveSeedOrder(now);
    Instant until = settings.limits().until(now);
    var granted = after(sweep::run, () -> signalled(claims.claim(most, wanted, until, time())));
    return granted.result().stream().map(one -> taken(one, granted.signal())).toList();
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    Instant until = settings.limits().until(now);
    var loan = after(sweep::run, () -> signalled(claims.borrow(domain, until, time())));
    if (loan.result().granted().isPresent()) {
      return new Borrowing.Lent(taken(loan.result().granted().get(), loan.signal()));
    }
    return loan.result().held() ? new Borrowing.HeldElsewhere() : new Borrowing.Closed();
  }

  /** Ends claims whose time is over, and then does this in the same transaction. */
  private <T> T after(LongFunction<List<DomainName>> sweeping, Supplier<T> work) {
    record Swept<T>(List<DomainName> ended, T result) {}
    Swept<T> swept = writer.write(() -> new Swept<>(sweeping.apply(time()), work.get()));
    held.dropAll(swept.ended());
    return swept.result();
  }

  /** What a transaction came to, and the operators' signal in it. */
  private record Signalled<T>(T result, long signal) {}

  private <T> Signalled<T> signalled(T result) {
    return new Signalled<>(result, connections.operators.count());
  }

  private Claim taken(Claims.Granted granted, long signal) {
    held.take(granted, signal);
    return granted.claim();
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    return after(sweep::endExpired, () -> runControl.outlook(now, time(), wanted));
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Set<DomainName> lost = new HashSet<>();
    list.forEach(claim -> lost.add(claim.domain()));
    lost.removeAll(writer.write(() -> renew(list)));
    return new Renewal(lost, settings.limits().until(now));
  }

  /** The domains that are still held; their terms may have been changed by hand. */
  private Set<DomainName> renew(Collection<Claim> list) {
    Map<DomainName, OperatorTerms> terms = claims.renew(list, time());
    terms.forEach((domain, now) -> held.find(domain).ifPresent(one -> one.terms.set(now)));
    return terms.keySet();
  }

  @Override
  public OperatorTerms terms(Claim claim) {
    return held.terms(held.of(claim));
  }

  @Override
  public Frontier frontier() {
    return held;
  }

  @Override
  public Written settle(Claim claim, List<Settlement> list) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      List<Settlements.Settling> members = new ArrayList<>();
      for (Settlement settlement : list) {
        domain
            .inFlight(settlement.entry())
            .map(
                waiting ->
                    Settlements.Settling.of(
                        domain.name,
                        waiting,
                        settlement,
                        urls.arrivals(settlement.found()),
                        settings.grouping()))
            .ifPresent(members::add);
      }
      if (members.isEmpty()) {
        // A repeated settlement writes nothing, but reports a lost claim.
        held.write(domain, () -> domain.requireClaim(connections.writing));
        return Written.NOTHING;
      }
      Settlements.Group group = Settlements.Group.of(domain, members, time());
      int skipped = held.write(domain, () -> settlements.settle(group));
      return new Written(held.settled(group), skipped);
    }
  }

  @Override
  public Written record(Claim claim, Note note) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      List<Arrival> found = urls.arrivals(note.found());
      long at = time();
      int skipped = held.write(domain, () -> notes.write(domain, note, found, at));
      domain.written(note.state());
      return new Written(held.entered(domain, found), skipped);
    }
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      held.write(domain, () -> claims.release(domain, state, ending, now.toEpochMilli()));
      held.drop(domain);
    }
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    writer.run(
        () ->
            new OutageReversal(connections.writing, urls).takeBack(domain, token, change, time()));
  }

  private long time() {
    return settings.clock().instant().toEpochMilli();
  }

  /** Leaves everything written; the last handle leaves the directory to others. */
  @Override
  public void close() {
    try {
      try {
        writer.run(() -> Recovery.leave(connections.writing, worker, time()));
      } finally {
        connections.close();
      }
    } finally {
      if (handles.decrementAndGet() == 0) {
        hold.close();
      }
    }
  }
}
