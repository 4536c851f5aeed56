package dev.comity.bench;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;

/**
 * How much a store takes, measured through its port. A store is a data directory, the address of a
 * PostgreSQL database ({@code jdbc:postgresql://...}), or {@code postgres} for a server of its own.
 * Several stores, separated by commas, are measured one after the other. A directory or a database
 * is left for the next command.
 *
 * <pre>
 * StoreLoad ingest STORES URLS             put in that many more URLs, 45 of 100 tries being known
 * StoreLoad settle STORES PAGES [WORKERS]  settle pages with 20 links each, 19 of them known
 * StoreLoad domains STORES COUNT [WORKERS] that many domains: claims, and recalculation
 * StoreLoad restart STORES                 from opening to the first claim
 * </pre>
 */
@NullMarked
public final class StoreLoad {
  private static final int SITES = 20_000;
  private static final int BATCH = 500;
  private static final int SITES_IN_BATCH = 10;

  /** Threads that bring URLs, as the workers of a crawl do. */
  private static final int BRINGERS = 8;

  private static final double KNOWN = 0.45;
  private static final int LINKS = 20;
  private static final int WORKERS = 64;
  static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  static final RunTerms TERMS =
      new RunTerms(List.of(), new TreeMap<>(Map.of()), Long.MAX_VALUE, Long.MAX_VALUE);

  private final LoadTarget target;

  private StoreLoad(LoadTarget target) {
    this.target = target;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2) {
      System.err.println("usage: StoreLoad ingest|settle|domains|restart STORES [COUNT [WORKERS]]");
      System.exit(2);
    }
    long count = arguments.length > 2 ? Long.parseLong(arguments[2].replace("_", "")) : 0;
    int workers = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
    for (String where : arguments[1].split(",", -1)) {
      System.out.println(arguments[0] + " " + where + ":");
      try (LoadTarget target = LoadTarget.of(where)) {
        StoreLoad load = new StoreLoad(target);
        switch (arguments[0]) {
          case "ingest" -> load.ingest(count);
          case "settle" -> load.settle(count, workers);
          case "domains" -> load.domains((int) count, workers);
          case "restart" -> load.restart();
          default -> throw new IllegalArgumentException("no such command: " + arguments[0]);
        }
        target.tell();
      }
    }
  }

  // ------------------------------------------------------------------------------------------ in

  private void ingest(long wanted) throws SQLException, InterruptedException {
    long[] known = known();
    long before = Arrays.stream(known).sum();
    AtomicLong distinct = new AtomicLong();
    AtomicLong tries = new AtomicLong();
    AtomicLong length = new AtomicLong();
    try (LoadTarget.Handle handle = target.open("one")) {
      CrawlStore store = handle.store();
      Stopwatch whole = new Stopwatch();
      List<Thread> bringers = new ArrayList<>();
      for (int i = 0; i < BRINGERS; i++) {
        int from = i;
        bringers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      RandomGenerator dice = RandomGenerator.of("L64X128MixRandom");
                      while (distinct.get() < wanted) {
                        List<QueuedUrl> batch = batch(known, from, dice, length);
                        distinct.addAndGet(store.add(batch, Instant.now()));
                        tries.addAndGet(batch.size());
                      }
                    }));
      }
      Stopwatch lap = new Stopwatch();
      long lapTries = 0;
      for (long report = 1_000_000; report <= wanted; report += 1_000_000) {
        while (distinct.get() < report) {
          Thread.sleep(10);
        }
        System.out.printf(
            Locale.ROOT,
            "%,12d URLs known: %,8.0f URLs/s in this million, %,8.0f in all, heap %d MB%n",
            before + distinct.get(),
            (tries.get() - lapTries) / lap.seconds(),
            tries.get() / whole.seconds(),
            heap());
        lap = new Stopwatch();
        lapTries = tries.get();
      }
      for (Thread bringer : bringers) {
        bringer.join();
      }
      System.out.printf(
          Locale.ROOT,
          "%,d tries, %,d new (%.1f %% known) in %.1f s: %,.0f URLs/s, %.2f CPU-s per 100,000%n",
          tries.get(),
          distinct.get(),
          100.0 * (tries.get() - distinct.get()) / tries.get(),
          whole.seconds(),
          tries.get() / whole.seconds(),
          whole.cpu() / tries.get() * 100_000);
    }
    System.out.printf(
        Locale.ROOT,
        "%.1f bytes a URL on disk, of %.1f characters on average%n",
        (double) target.size() / (before + distinct.get()),
        (double) length.get() / distinct.get());
  }

  /** Of sites that nobody else brings URLs of, so that each knows what is known. */
  private static List<QueuedUrl> batch(
      long[] known, int bringer, RandomGenerator dice, AtomicLong length) {
    List<QueuedUrl> batch = new ArrayList<>(BATCH);
    for (int s = 0; s < SITES_IN_BATCH; s++) {
      int site = dice.nextInt(SITES / BRINGERS) * BRINGERS + bringer;
      for (int i = 0; i < BATCH / SITES_IN_BATCH; i++) {
        boolean again = known[site] > 0 && dice.nextDouble() < KNOWN;
        long number = again ? dice.nextLong(known[site]) : known[site]++;
        CrawlUrl url = CrawlUrl.of(url(site, number));
        length.addAndGet(again ? 0 : url.toString().length());
        batch.add(QueuedUrl.seed(url, Optional.empty()));
      }
    }
    return batch;
  }

  /** How many of each site's URLs an earlier call has put in. */
  private long[] known() throws SQLException {
    long[] known = new long[SITES];
    if (target.exists()) {
      try (Connection connection = target.reading();
          Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "SELECT domain, (SELECT count(*) FROM domain_frontier f WHERE f.domain_id = d.id)"
                      + " FROM domains d")) {
        while (rows.next()) {
          known[Integer.parseInt(rows.getString(1).replaceAll("\\D", ""))] = rows.getLong(2);
        }
      }
    }
    return known;
  }

  private static String url(int site, long number) {
    return "https://www.site"
        + site
        + ".example/"
        + SECTIONS.get((int) (number % SECTIONS.size()))
        + "/article-"
        + number
        + ".html";
  }

  private static final List<String> SECTIONS =
      List.of("news", "politics/europe", "sport", "culture/film", "docs/reference", "blog/2026");

  // --------------------------------------------------------------------------------------- pages

  private void settle(long pages, int workers) throws InterruptedException {
    int sites = 500;
    List<LoadTarget.Handle> handles = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      handles.add(target.open("w" + worker));
    }
    try {
      CrawlStore store = handles.getFirst().store();
      List<QueuedUrl> seeds = new ArrayList<>();
      for (int site = 0; site < sites; site++) {
        for (int page = 0; page < 200; page++) {
          seeds.add(QueuedUrl.seed(CrawlUrl.of(url(site, page)), Optional.empty()));
        }
      }
      store.add(seeds, Instant.now());
      List<Claim> claims = new ArrayList<>();
      List<CrawlStore> holders = new ArrayList<>();
      for (int turn = 0; claims.size() < sites; turn++) {
        CrawlStore holder = handles.get(turn % workers).store();
        List<Claim> some = holder.claim(10, Instant.now());
        some.forEach(_ -> holders.add(holder));
        claims.addAll(some);
      }
      AtomicLong left = new AtomicLong(pages);
      CountDownLatch done = new CountDownLatch(claims.size());
      Stopwatch watch = new Stopwatch();
      for (int i = 0; i < claims.size(); i++) {
        Claim claim = claims.get(i);
        CrawlStore holder = holders.get(i);
        long seed = i;
        Thread.ofVirtual()
            .start(
                () -> {
                  work(holder, claim, left, RandomGenerator.of("L64X128MixRandom"), seed);
                  done.countDown();
                });
      }
      long before = pages;
      Stopwatch lap = new Stopwatch();
      while (!done.await(2, TimeUnit.SECONDS)) {
        long now = Math.max(0, left.get());
        System.out.printf(
            Locale.ROOT, "%,8.0f pages/s, heap %d MB%n", (before - now) / lap.seconds(), heap());
        before = now;
        lap = new Stopwatch();
      }
      System.out.printf(
          Locale.ROOT,
          "%,d pages settled in %.1f s: %,.0f pages/s, %.3f CPU-s per 1,000%n",
          pages,
          watch.seconds(),
          pages / watch.seconds(),
          watch.cpu() / pages * 1000);
    } finally {
      handles.reversed().forEach(LoadTarget.Handle::close);
    }
    System.out.printf(Locale.ROOT, "%,d bytes on disk%n", target.size());
  }

  private static void work(
      CrawlStore store, Claim claim, AtomicLong left, RandomGenerator random, long seed) {
    long fresh = 1_000_000 * (seed + 1);
    DomainState state = POLICY.claimed(claim.state(), Instant.now());
    int site = Integer.parseInt(claim.domain().name().replaceAll("\\D", ""));
    while (left.getAndDecrement() > 0) {
      if (!(store.frontier().next(claim, Instant.now()) instanceof Next.Ready(var entry))) {
        throw new IllegalStateException("nothing to ask of " + claim.domain());
      }
      List<QueuedUrl> links = new ArrayList<>(LINKS);
      for (int i = 1; i < LINKS; i++) {
        links.add(entry.link(CrawlUrl.of(url(site, random.nextInt(200)))));
      }
      links.add(entry.link(CrawlUrl.of(url(site, fresh++))));
      Instant now = Instant.now();
      Attempt attempt = new Attempt(entry.url(), Kind.PAGE, 1, now, Duration.ofSeconds(1));
      Fetched fetched =
          new Fetched(
              new Success(200, Headers.NONE, Body.of("a page")),
              Optional.of(Duration.ofMillis(80)),
              Duration.ofMillis(100),
              12_000);
      state = POLICY.started(state, attempt);
      var decision = POLICY.decide(state, attempt, fetched, now);
      state = decision.state();
      store.settle(
          claim,
          new Settlement(
              entry,
              Optional.of(attempt),
              Optional.of(fetched),
              new Fate.Done(Category.SUCCESS),
              state,
              links,
              Optional.of(
                  new PageContent(
                      Optional.of("A page with a title"), "", Optional.of("text/html")))));
    }
    store.release(claim, state, new Ending.Stopped(), Instant.now());
  }

  // ------------------------------------------------------------------------------------- domains

  private void domains(int count, int claimers) throws InterruptedException {
    try (LoadTarget.Handle handle = target.open("one")) {
      CrawlStore store = handle.store();
      Stopwatch filling = new Stopwatch();
      for (int from = 0; from < count; from += BATCH) {
        List<QueuedUrl> batch = new ArrayList<>(BATCH);
        for (int site = from; site < Math.min(count, from + BATCH); site++) {
          batch.add(
              QueuedUrl.seed(CrawlUrl.of("https://d" + site + ".example/"), Optional.empty()));
        }
        store.add(batch, Instant.now());
      }
      System.out.printf(
          Locale.ROOT,
          "%,d domains in %.1f s, %,d MB%n",
          count,
          filling.seconds(),
          target.size() >> 20);
      recalculate(store, "before anything was claimed");
      claims(1000, claimers);
      recalculateBesideSettlements(store);
    }
  }

  private static void recalculate(CrawlStore store, String when) {
    Stopwatch watch = new Stopwatch();
    store.recalculatePriorities(Instant.now());
    System.out.printf(Locale.ROOT, "recalculated %s in %.1f s%n", when, watch.seconds());
  }

  private void claims(int rounds, int claimers) throws InterruptedException {
    long[] nanos = new long[rounds];
    AtomicInteger round = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    Set<List<Object>> granted = ConcurrentHashMap.newKeySet();
    for (int one = 0; one < claimers; one++) {
      String name = "claimer" + one;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (LoadTarget.Handle handle = target.open(name)) {
                      claim(handle.store(), round, nanos, granted);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    print("claim of 10 by " + claimers, nanos);
  }

  private static void claim(
      CrawlStore store, AtomicInteger round, long[] nanos, Set<List<Object>> granted) {
    for (int i = round.getAndIncrement(); i < nanos.length; i = round.getAndIncrement()) {
      long start = System.nanoTime();
      List<Claim> claims = store.claim(10, Instant.now());
      nanos[i] = System.nanoTime() - start;
      Ending ending = i % 2 == 0 ? new Ending.DomainOutOfBudget() : new Ending.Stopped();
      for (Claim claim : claims) {
        if (!granted.add(List.of(claim.domain(), claim.token()))) {
          throw new IllegalStateException(claim.domain() + " was granted twice");
        }
        store.release(claim, claim.state(), ending, Instant.now());
      }
    }
  }

  private void recalculateBesideSettlements(CrawlStore store) throws InterruptedException {
    List<Claim> claims = new ArrayList<>();
    while (claims.size() < WORKERS) {
      claims.addAll(store.claim(10, Instant.now()));
    }
    List<Long> delays = new ArrayList<>();
    var going = new java.util.concurrent.atomic.AtomicBoolean(true);
    List<Thread> threads = new ArrayList<>();
    for (Claim claim : claims) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    long number = 0;
                    while (going.get()
                        && store.frontier().next(claim, Instant.now())
                            instanceof Next.Ready(var entry)) {
                      QueuedUrl link =
                          entry.link(CrawlUrl.of("https://" + claim.domain() + "/" + ++number));
                      long start = System.nanoTime();
                      store.settle(claim, quick(entry, link, claim.state()));
                      long took = System.nanoTime() - start;
                      synchronized (delays) {
                        delays.add(took);
                      }
                    }
                  }));
    }
    recalculate(store, "while " + claims.size() + " workers settle");
    going.set(false);
    for (Thread thread : threads) {
      thread.join();
    }
    print("settle", delays.stream().mapToLong(Long::longValue).toArray());
  }

  private static Settlement quick(QueuedUrl entry, QueuedUrl link, DomainState state) {
    return new Settlement(
        entry,
        Optional.empty(),
        Optional.empty(),
        new Fate.Done(Category.SUCCESS),
        POLICY.claimed(state, Instant.now()),
        List.of(link),
        Optional.empty());
  }

  // ------------------------------------------------------------------------------------- restart

  private void restart() {
    Stopwatch watch = new Stopwatch();
    try (LoadTarget.Handle handle = target.open("one")) {
      CrawlStore store = handle.store();
      double opened = watch.seconds();
      int claimed = store.claim(10, Instant.now()).size();
      System.out.printf(
          Locale.ROOT,
          "opened after %.3f s, %d domains claimed after %.3f s%n",
          opened,
          claimed,
          watch.seconds());
      // As a crash leaves it: claims and all.
      Runtime.getRuntime().halt(0);
    }
  }

  // --------------------------------------------------------------------------------------- tools

  private static void print(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d times, median %.2f ms, p99 %.2f ms, longest %.2f ms%n",
        what,
        nanos.length,
        nanos[nanos.length / 2] / 1e6,
        nanos[(int) (nanos.length * 0.99)] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private static long heap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
  }

  private static final class Stopwatch {
    private final long start = System.nanoTime();
    private final long cpuStart = cpuNanos();

    double seconds() {
      return (System.nanoTime() - start) / 1e9;
    }

    double cpu() {
      return (cpuNanos() - cpuStart) / 1e9;
    }

    private static long cpuNanos() {
      return ManagementFactory.getOperatingSystemMXBean()
              instanceof com.sun.management.OperatingSystemMXBean system
          ? system.getProcessCpuTime()
          : 0;
    }
  }
}
