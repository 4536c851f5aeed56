package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.Unreachable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.Draw;
import dev.comity.testkit.gen.HostileAnswers;
import dev.comity.testkit.gen.HostileAnswers.HostileAnswer;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.TirelessServer;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.robots.RobotsTxt;
import dev.comity.web.sitemap.SitemapFiles;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Answers that nobody would send on purpose, to everything that reads answers: over a plain
 * connection and behind TLS by turns, to pages, robots.txt and sitemaps. After each one a good
 * request over the same fetcher must get its own answer.
 *
 * <p>{@code mvn -Pfuzz -pl web -am verify} goes on for ten minutes; {@code -Dcomity.minutes=N} and
 * {@code -Dcomity.seed=N} say otherwise.
 */
class HostileAnswersProperties {
  private static final long SEED = Long.getLong("comity.seed", 20_261_116);
  private static final Duration TIME = Duration.ofMinutes(Long.getLong("comity.minutes", 0));
  private static final int CASES = 4_000;
  private static final int AT_ONCE = 8;

  /** On top of the longest a fetch may take: other work on the machine. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  /** How often what is in use is looked at; the first time when everything is warm. */
  private static final int ROUNDS = 5;

  private static final long ROOM = 8L * 1024 * 1024;

  private final HtmlReader pages =
      new HtmlReader("Comity", InstantSource.system(), HtmlReader.LONGEST_TEXT);
  private final RobotsTxt robots = new RobotsTxt("Comity");
  private final SitemapFiles sitemaps = new SitemapFiles();
  private final AtomicLong sitemapsRead = new AtomicLong();
  private final AtomicLong spoiltInAll = new AtomicLong();
  private final Map<Category, Long> outcomes = new ConcurrentHashMap<>();

  @Test
  void whatever_a_server_sends_comes_to_an_outcome_in_time_and_spoils_nothing_after_it()
      throws Exception {
    AtomicLong next = new AtomicLong();
    try (Loopback loopback = Loopback.withLittleTime();
        TirelessServer plain = Line.PLAIN.answering(HostileAnswersProperties::script);
        TirelessServer secure = Line.SECURE.answering(HostileAnswersProperties::script)) {
      List<TirelessServer> servers = List.of(plain, secure);
      List<Long> heap = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        run(loopback, servers, next, CASES / ROUNDS, TIME.dividedBy(ROUNDS));
        heap.add(heap());
      }
      System.out.printf(
          "fuzz: %d answers from seed %d on, %d requests spoilt, %d sitemaps with URLs, MB in use"
              + " by and by %s, %s%n",
          next.get(),
          SEED,
          spoiltInAll.get(),
          sitemapsRead.get(),
          heap.stream().map(bytes -> bytes >> 20).toList(),
          outcomes);
      assertThat(heap.getLast())
          .as("heap in use at the end, of %s", heap)
          .isLessThan(heap.getFirst() + heap.getFirst() / 4 + ROOM);
    }
    // Only servers that fall silent on a connection they keep may spoil it: one answer in a
    // hundred.
    assertThat(spoiltInAll.get()).isLessThan(next.get() / 50);
    assertThat(outcomes.getOrDefault(Category.SUCCESS, 0L)).isGreaterThan(next.get() / 20);
    assertThat(sitemapsRead.get()).isGreaterThan(next.get() / 100);
  }

  /** The number of a case is in its path, so that any one of them can be played alone. */
  private static Script script(String path) {
    String number = path.substring(path.lastIndexOf('/') + 1);
    return path.startsWith("/good/")
        ? wire -> wire.send(Replies.html("good " + number))
        : answer(Long.parseLong(number)).script();
  }

  private static HostileAnswer answer(long number) {
    return new HostileAnswers().draw(Draw.of(SEED + number));
  }

  private void run(
      Loopback loopback, List<TirelessServer> servers, AtomicLong next, int cases, Duration time)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    long last = next.get() + cases;
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Boolean> worker =
          () -> {
            while (next.get() < last || System.nanoTime() < end) {
              long number = next.getAndIncrement();
              // By the seed, so that a case played alone is played over the same line.
              int line = Math.floorMod(SEED + number, servers.size());
              check(loopback, servers.get(line), number);
            }
            return true;
          };
      List<Future<Boolean>> all =
          workers.invokeAll(IntStream.range(0, AT_ONCE).mapToObj(_ -> worker).toList());
      for (Future<Boolean> one : all) {
        assertThat(one.get()).isTrue();
      }
    }
  }

  private void check(Loopback loopback, TirelessServer server, long number) throws Exception {
    HostileAnswer answer = answer(number);
    try {
      long start = System.nanoTime();
      Want want = Want.valueOf(answer.sort().name());
      Fetched fetched = loopback.hurried(server.url("/bad/" + number), want);
      read(server.url("/bad/" + number), want, fetched.outcome());
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isLessThan(Loopback.ENOUGH.plus(SLACK));
      outcomes.merge(fetched.outcome().category(), 1L, Long::sum);

      assertThat(good(loopback, server.url("/good/" + number))).isEqualTo("good " + number);
    } catch (Exception | Error broken) {
      throw new AssertionError(
          "answer " + number + ", played again first by -Dcomity.seed=" + (SEED + number), broken);
    }
  }

  /**
   * What a good request gets. An answer with something left behind it, or a server that falls
   * silent, may cost the next request on that connection, but never give it a wrong answer; and
   * there are no more connections than these.
   */
  private String good(Loopback loopback, CrawlUrl url) throws InterruptedException {
    FetchOutcome outcome = loopback.page(url);
    for (int spoilt = 0; spoilt < AT_ONCE && outcome instanceof Unreachable; spoilt++) {
      spoiltInAll.incrementAndGet();
      outcome = loopback.page(url);
    }
    assertThat(outcome).isInstanceOf(Success.class);
    return new String(((Success) outcome).body().bytes(), StandardCharsets.UTF_8);
  }

  private void read(CrawlUrl url, Want want, FetchOutcome outcome) {
    if (!(outcome instanceof Success success)) {
      return;
    }
    switch (want) {
      case ROBOTS -> assertThat(robots.read(success.body()).allows(url)).isIn(true, false);
      case TDMREP ->
          assertThat(robots.reservations(success.body()).wishes(url).all()).hasSizeLessThan(100);
      case SITEMAP -> {
        boolean isOne = sitemaps.recognizes(success.body());
        List<CrawlUrl> listed = new ArrayList<>();
        sitemaps.read(success.body(), one -> listed.add(one.url()));
        assertThat(listed).allMatch(one -> one.toString().startsWith("http"));
        sitemapsRead.addAndGet(isOne && !listed.isEmpty() ? 1 : 0);
      }
      case PAGE -> {
        Extraction page = pages.extract(url, success);
        assertThat(page.text()).doesNotContain("\0");
      }
      case IMAGE -> assertThat(success.body().length()).isPositive();
    }
  }

  private static long heap() {
    for (int times = 0; times < 3; times++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
