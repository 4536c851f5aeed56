package dev.comity.store.operate;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.OperatorSignal;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.DomainRows;
import dev.comity.store.crawl.FrontierWriter;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.Entered;
import dev.comity.store.crawl.Lookups;
import dev.comity.store.crawl.RunScope;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.order.Priorities;
import dev.comity.store.source.Origins;
import dev.comity.store.source.UrlOffers;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.SeedAddresses;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.TermsColumns;
import dev.comity.store.sql.UrlKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Takes seeds into a data directory. Nothing is cached between batches, because the crawl writes,
 * too.
 */
public final class DirectoryIntake implements Intake {
  private static final int HINTS = 1 << 16;

  /** A crawl that writes all the time leaves a gap seldom enough. */
  private static final int PATIENCE_MILLIS = 60_000;

  private final DataDirectory directory;
  private final Statements sql;
  private final StoreSettings settings;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final SeenHints hints = new SeenHints(HINTS);
  private final RunScope run;
  private boolean besideCrawl;

  /**
   * Opens it, making it where there is none.
   *
   * @throws DirectoryInUse if its tables are older than this program, and a crawl has it
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static DirectoryIntake open(DataDirectory directory, StoreSettings settings) {
    return open(directory, settings, UrlKey::new);
  }

  /** With other keys: a test wants bad ones. */
  static DirectoryIntake open(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    Schema.upgrade(directory);
    return new DirectoryIntake(directory, settings, keys);
  }

  private DirectoryIntake(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    this.directory = directory;
    sql = new Statements(directory.writing());
    this.settings = settings;
    this.keys = keys;
    sql.each("PRAGMA busy_timeout = " + PATIENCE_MILLIS, _ -> {});
    run = new RunScope(sql);
  }

  @Override
  public boolean isBesideCrawl() {
    return besideCrawl;
  }

  @Override
  public Taken take(
      List<QueuedUrl> seeds,
      Map<DomainName, Long> ranks,
      Map<DomainName, String> origins,
      Instant now) {
    Optional<Taken> taken = Optional.empty();
    while (taken.isEmpty()) {
      // Before the transaction, which keeps the crawl from writing.
      run.look();
      taken =
          inTransaction(
              (urls, priorities) -> {
                Taken entered = enter(urls, seeds, now.toEpochMilli());
                priorities.rank(sql, ranks, now.toEpochMilli());
                new Origins(sql).keep(origins);
                return entered;
              });
    }
    return taken.get();
  }

  @Override
  public AddAnswer offer(QueuedUrl url, String origin, Instant now) {
    Optional<AddAnswer> answer = Optional.empty();
    while (answer.isEmpty()) {
      run.look();
      answer =
          inTransaction(
              (urls, _) -> {
                AddAnswer given = offer(urls, url, now);
                new Origins(sql).keep(Map.of(settings.grouping().domainOf(url.url()), origin));
                return given;
              });
    }
    return answer.get();
  }

  private AddAnswer offer(FrontierWriter urls, QueuedUrl url, Instant now) {
    AddAnswer answer = new UrlOffers(sql, settings, urls::find, urls::enter).offer(url, now);
    DomainName domain = settings.grouping().domainOf(url.url());
    boolean later = !run.takes(domain);
    if (later && !(answer instanceof AddAnswer.Refused)) {
      run.leaveOut(domain, now.toEpochMilli());
    }
    if (url.source().isPresent()) {
      // A known URL may have a source now, and a crawl may have read it ahead.
      OperatorSignal.of(directory).raise();
    }
    return answer instanceof AddAnswer.Enqueued ? new AddAnswer.Enqueued(later) : answer;
  }

  /** What is done in a transaction. */
  @FunctionalInterface
  private interface Work<T> {
    T with(FrontierWriter urls, Priorities priorities);
  }

  /** Answers nothing, having done nothing, where another run has begun meanwhile. */
  private <T> Optional<T> inTransaction(Work<T> work) {
    sql.execute("BEGIN IMMEDIATE");
    long began = System.nanoTime();
    boolean done = false;
    try {
      if (!run.isCurrent()) {
        return Optional.empty();
      }
      Priorities priorities = Priorities.asItIs(sql);
      FrontierWriter urls = urls(priorities);
      T result = work.with(urls, priorities);
      besideCrawl = directory.isCrawled();
      sql.execute("COMMIT");
      done = true;
      urls.committed();
      leaveAGap(System.nanoTime() - began);
      return Optional.of(result);
    } finally {
      if (!done) {
        sql.rollBack();
      }
    }
  }

  /** Domains, authorities and row numbers as they are now. */
  private FrontierWriter urls(Priorities priorities) {
    return new FrontierWriter(
        sql,
        new DomainRows(sql, settings.policy(), priorities),
        hints,
        settings.limits(),
        settings.grouping()::domainOf,
        keys);
  }

  private Taken enter(FrontierWriter urls, List<QueuedUrl> seeds, long now) {
    List<Arrival> inside = new ArrayList<>();
    List<Arrival> outside = new ArrayList<>();
    Set<DomainName> others = new LinkedHashSet<>();
    for (Arrival arrival : urls.arrivals(seeds)) {
      boolean taken = !others.contains(arrival.domain()) && run.takes(arrival.domain());
      (taken ? inside : outside).add(arrival);
      if (!taken) {
        others.add(arrival.domain());
      }
    }
    Entered soon = urls.add(inside, OptionalLong.empty(), urls::find, now).all();
    Entered later = urls.add(outside, OptionalLong.empty(), urls::find, now).all();
    for (DomainName domain : others) {
      run.leaveOut(domain, now);
    }
    return new Taken(
        soon.queued() + later.queued(), later.queued(), soon.overCap() + later.overCap());
  }

  /**
   * A process that waits for SQLite's lock polls it. It would miss a lock that is taken again at
   * once, and wait long.
   */
  private void leaveAGap(long nanos) {
    if (besideCrawl) {
      try {
        TimeUnit.NANOSECONDS.sleep(2 * nanos);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> addresses) {
    sql.execute("BEGIN IMMEDIATE");
    List<SeedAddress> stored =
        new SeedAddresses(sql).keep(addresses, settings.grouping()::domainOf);
    sql.execute("COMMIT");
    return stored;
  }

  @Override
  public boolean isPaused(DomainName domain) {
    return TermsColumns.isPaused(sql, domain.name());
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return Lookups.state(sql, domain);
  }

  @Override
  public void close() {
    sql.close();
  }
}
