package dev.comity.bench;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.redis.RedisAddress;
import dev.comity.store.redis.RedisFrontierStore;
import dev.comity.store.redis.RedisLink;
import dev.comity.store.sqlite.SqliteStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;

/**
 * Queues in the table and in Redis, one after the other, through the port of stores.
 *
 * <pre>
 * FrontierLoad redis://host:port URLS   so many links of four domains, 45 of 100 offered are known
 * </pre>
 */
@NullMarked
public final class FrontierLoad {
  private static final int DOMAINS = 4;
  private static final int LINKS = 200;
  private static final int TAKEN = 2_000;
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  private FrontierLoad() {}

  public static void main(String... arguments) throws Exception {
    int urls = Integer.parseInt(arguments[1]);
    StoreSettings settings =
        StoreSettings.of(POLICY, Grouping.BY_HOST, InstantSource.fixed(NOON))
            .with(StoreLimits.DEFAULTS.withMaxUnfinished(100_000_000));
    try (RedisLink link =
        RedisLink.connect(RedisAddress.parse(arguments[0]), words -> System.err.println(words))) {
      for (String home : List.of("table", "redis", "table", "redis")) {
        Path directory = Files.createTempDirectory("comity-frontier");
        try (SqliteStore inner = SqliteStore.open(new DataDirectory(directory), settings)) {
          CrawlStore store =
              home.equals("table")
                  ? inner
                  : new RedisFrontierStore(
                      inner, inner.checkpoints(), settings, link, UUID.randomUUID().toString());
          measure(home, store, link, directory, urls);
        }
      }
    }
  }

  private static void measure(
      String home, CrawlStore store, RedisLink link, Path directory, int urls) throws Exception {
    store.begin(new RunTerms(List.of(), new TreeMap<>(), Long.MAX_VALUE, Long.MAX_VALUE), NOON);
    for (int number = 0; number < DOMAINS; number++) {
      store.add(
          List.of(
              QueuedUrl.seed(
                  CrawlUrl.of("https://www.d" + number + ".example/"), Optional.empty())),
          NOON);
    }
    List<Claim> claims = store.claim(DOMAINS, NOON);
    long before = memory(link);
    long server = serverMillis(link);
    long own = ownMillis();
    long began = System.nanoTime();
    long offered = together(claims, claim -> add(store, claim, urls / DOMAINS));
    double adding = seconds(began);
    double bytes =
        (home.equals("table") ? Files.size(directory.resolve("comity.db")) : memory(link) - before)
            / (double) urls;
    long addingCpu = ownMillis() - own + serverMillis(link) - server;
    began = System.nanoTime();
    long taken = together(claims, claim -> take(store, claim));
    double taking = seconds(began);
    System.out.printf(
        "%-5s  %,9.0f adds/s (%,d offered, %.1f CPU-s)  %,8.0f nexts/s with their settlement  %5.0f"
            + " bytes a URL%n",
        home, offered / adding, offered, addingCpu / 1000.0, taken / taking, bytes);
  }

  private interface Work {
    long with(Claim claim) throws Exception;
  }

  private static long together(List<Claim> claims, Work work) throws Exception {
    List<Callable<Long>> all = new ArrayList<>();
    claims.forEach(claim -> all.add(() -> work.with(claim)));
    long sum = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(DOMAINS)) {
      for (Future<Long> one : threads.invokeAll(all)) {
        sum += one.get();
      }
    }
    return sum;
  }

  /** Offers links until there are so many; returns how many were offered. */
  private static long add(CrawlStore store, Claim claim, int urls) {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    DomainState state = POLICY.claimed(claim.state(), NOON);
    QueuedUrl page =
        QueuedUrl.seed(CrawlUrl.of("https://www." + claim.domain() + "/"), Optional.empty());
    long offered = 0;
    int next = 0;
    while (next < urls) {
      List<QueuedUrl> links = new ArrayList<>();
      for (int number = 0; number < LINKS; number++) {
        int which = next > 0 && random.nextInt(100) < 45 ? random.nextInt(next) : next++;
        links.add(
            page.link(
                CrawlUrl.of(
                    "https://www.%s/articles/2026/%07d-some-words"
                        .formatted(claim.domain(), which))));
      }
      store.record(claim, new Note(state, Optional.empty(), Optional.empty(), links));
      offered += LINKS;
    }
    return offered;
  }

  /** Takes URLs and settles them; returns how many. */
  private static long take(CrawlStore store, Claim claim) {
    DomainState state = POLICY.claimed(claim.state(), NOON);
    for (int number = 0; number < TAKEN; number++) {
      if (!(store.frontier().next(claim, NOON) instanceof Next.Ready(var entry))) {
        return number;
      }
      store.settle(claim, Settlement.unasked(entry, new Fate.Suppressed(), state, List.of()));
    }
    return TAKEN;
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static long ownMillis() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1_000_000;
  }

  private static long memory(RedisLink link) {
    return (long) info(link, "memory", "used_memory:");
  }

  private static long serverMillis(RedisLink link) {
    return (long)
        (1000 * (info(link, "cpu", "used_cpu_user:") + info(link, "cpu", "used_cpu_sys:")));
  }

  private static double info(RedisLink link, String section, String name) {
    return link.ask(redis -> redis.info(section))
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length()).strip()))
        .findFirst()
        .orElseThrow();
  }
}
