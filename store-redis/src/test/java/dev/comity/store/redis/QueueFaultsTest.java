package dev.comity.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.testkit.postgres.LossyProxy;
import dev.comity.testkit.redis.RedisServer;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis is restarted, emptied, cut short or cut off, or a process dies: no page is lost. */
class QueueFaultsTest {
  private static final int PAGES = 200;

  @TempDir private Path home;
  private RedisServer redis;
  private RedisLink link;
  private SqliteStore inner;
  private CrawlStore store;
  private final LinkedBlockingQueue<String> trouble = new LinkedBlockingQueue<>();
  private final LinkedSite site = new LinkedSite(PAGES);

  @BeforeEach
  void open() {
    redis = RedisServer.start();
    link = RedisLink.connect(RedisAddress.parse(redis.url()), trouble::add, Duration.ofMillis(500));
    openStore();
    site.begin(store);
  }

  @AfterEach
  void close() {
    inner.close();
    link.close();
    redis.close();
  }

  private static StoreSettings settings() {
    return StoreSettings.of(
            new DomainPolicy(PolicySettings.DEFAULTS),
            Grouping.BY_HOST,
            InstantSource.fixed(LinkedSite.NOON))
        .with(StoreLimits.DEFAULTS);
  }

  private void openStore() {
    inner = SqliteStore.open(new DataDirectory(home.resolve("data")), settings());
    store = store(inner, link);
  }

  private RedisFrontierStore store(CrawlStore before, RedisLink over) {
    return new RedisFrontierStore(before, inner.checkpoints(), settings(), over, "test", 4);
  }

  private void stop(Claim claim) {
    store.release(
        claim, store.state(claim.domain()).orElseThrow(), new Ending.Stopped(), LinkedSite.NOON);
  }

  private List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + home.resolve("data/comity.db"));
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private void assertWhole() throws SQLException {
    assertThat(rows("SELECT count(*) FROM pages")).containsExactly("" + PAGES);
    assertThat(rows("SELECT count(DISTINCT url_id) FROM pages")).containsExactly("" + PAGES);
    assertThat(rows("SELECT pages FROM crawl_runs")).containsExactly("" + PAGES);
    assertThat(rows("SELECT count(*) FROM domain_frontier WHERE state <> 1")).containsExactly("0");
    assertThat(rows("SELECT status || frontier_size || frontier_elsewhere FROM domains"))
        .containsExactly("exhausted00");
    // Time stands still here, so that the doctor's other checks do not count.
    assertThat(new Doctor(new DataDirectory(home.resolve("data"))).examine(_ -> {}))
        .filteredOn(one -> Set.of("rows", "budgets", "frontier", "counters").contains(one.check()))
        .hasSize(4)
        .allMatch(Examination::isSound);
  }

  private List<Integer> all() {
    return IntStream.range(0, PAGES).boxed().toList();
  }

  @Test
  void a_crawl_asks_every_page_once_by_depth_and_age_and_the_rest_waits_in_redis()
      throws SQLException {
    Optional<Claim> claim = site.crawl(store, 50);
    long waiting = Long.parseLong(redis.tell("ZCARD", "frontier:test:{site.example}").substring(1));
    assertThat(waiting).isBetween(90L, 101L);
    assertThat(rows("SELECT frontier_elsewhere FROM domains")).hasSize(1);
    assertThat(rows("SELECT count(*) FROM domain_frontier WHERE state = 0").getFirst())
        .matches("[0-8]");
    assertThat(site.crawl(store, claim.orElseThrow(), PAGES)).isEmpty();
    assertThat(site.asked()).isEqualTo(all());
    assertWhole();
  }

  @Test
  void a_redis_that_was_emptied_is_noticed_and_known_pages_are_asked_once_for_their_links()
      throws SQLException {
    Claim claim = site.crawl(store, 50).orElseThrow();
    redis.tell("FLUSHALL");
    assertThat(site.crawl(store, claim, 10 * PAGES)).isEmpty();
    assertThat(site.asked().stream().filter(page -> page > 0).toList())
        .doesNotHaveDuplicates()
        .hasSize(PAGES - 1);
    assertThat(site.asked().stream().filter(page -> page < 0).toList())
        .doesNotHaveDuplicates()
        .hasSizeBetween(45, 60);
    assertThat(rows("SELECT action || ' ' || subject FROM audit"))
        .containsExactly("frontier lost site.example");
    assertWhole();
  }

  @Test
  void what_was_lost_while_no_worker_held_the_domain_is_noticed_by_the_next() throws SQLException {
    stop(site.crawl(store, 50).orElseThrow());
    redis.tell("FLUSHALL");
    assertThat(site.crawl(store, 10 * PAGES)).isEmpty();
    assertThat(rows("SELECT action FROM audit")).containsExactly("frontier lost");
    assertThat(new HashSet<>(site.asked())).containsAll(all());
    assertWhole();
  }

  @Test
  void a_restarted_redis_has_lost_nothing_and_the_crawl_waits_for_it() throws Exception {
    Claim claim = site.crawl(store, 50).orElseThrow();
    redis.kill();
    CompletableFuture<Optional<Claim>> rest =
        CompletableFuture.supplyAsync(() -> site.crawl(store, claim, PAGES));
    assertThat(trouble.take()).startsWith("Redis at " + redis.url() + ": ");
    redis.startAgain();
    assertThat(rest.get()).isEmpty();
    assertThat(trouble.take()).isEmpty();
    assertThat(site.asked()).isEqualTo(all());
    assertThat(rows("SELECT count(*) FROM audit")).containsExactly("0");
    assertWhole();
  }

  @Test
  void a_redis_that_lost_its_last_commands_is_noticed() throws Exception {
    stop(site.crawl(store, 50).orElseThrow());
    redis.stop();
    redis.cutCommands(0.5);
    redis.startAgain();
    assertThat(site.crawl(store, 10 * PAGES)).isEmpty();
    assertThat(rows("SELECT action FROM audit")).containsExactly("frontier lost");
    assertWhole();
  }

  @Test
  void a_redis_that_does_not_answer_is_waited_for() throws Exception {
    try (LossyProxy proxy = LossyProxy.to("jdbc:" + redis.url() + "/?");
        RedisLink far =
            RedisLink.connect(
                RedisAddress.parse("redis://127.0.0.1:" + proxy.port()),
                trouble::add,
                Duration.ofMillis(300))) {
      CrawlStore over = store(inner, far);
      Claim claim = site.crawl(over, 50).orElseThrow();
      proxy.swallow(true);
      CompletableFuture<Optional<Claim>> rest =
          CompletableFuture.supplyAsync(() -> site.crawl(over, claim, PAGES));
      assertThat(trouble.take()).startsWith("Redis at redis://127.0.0.1:");
      proxy.swallow(false);
      assertThat(rest.get()).isEmpty();
    }
    assertThat(site.asked()).isEqualTo(all());
    assertWhole();
  }

  @Test
  void a_process_that_dies_between_redis_and_the_store_loses_no_link() throws SQLException {
    Claim claim = site.crawl(store, 30).orElseThrow();
    stop(claim);
    CrawlStore dying =
        store(
            new ForwardingStore(inner) {
              @Override
              public Written settle(Claim under, List<Settlement> settlements) {
                throw new IllegalStateException("the process dies");
              }
            },
            link);
    assertThatThrownBy(() -> site.crawl(dying, 1)).hasMessage("the process dies");
    inner.close();
    openStore();
    site.begin(store);
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_process_that_dies_before_it_acknowledges_repeats_the_move_and_asks_nothing_twice()
      throws SQLException {
    stop(site.crawl(store, 30).orElseThrow());
    CrawlStore dying =
        store(
            new ForwardingStore(inner) {
              @Override
              public int add(List<QueuedUrl> urls, java.time.Instant now) {
                inner.add(urls, now);
                throw new IllegalStateException("the process dies");
              }
            },
            link);
    assertThatThrownBy(() -> site.crawl(dying, 10)).hasMessage("the process dies");
    inner.close();
    openStore();
    site.begin(store);
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_process_that_dies_before_the_store_has_the_urls_finds_them_in_redis_again()
      throws SQLException {
    stop(site.crawl(store, 30).orElseThrow());
    CrawlStore dying =
        store(
            new ForwardingStore(inner) {
              @Override
              public int add(List<QueuedUrl> urls, java.time.Instant now) {
                throw new IllegalStateException("the process dies");
              }
            },
            link);
    assertThatThrownBy(() -> site.crawl(dying, 10)).hasMessage("the process dies");
    inner.close();
    openStore();
    site.begin(store);
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_holder_whose_queue_was_opened_by_a_later_claim_writes_nothing() throws SQLException {
    Claim claim = site.crawl(store, 30).orElseThrow();
    QueuedUrl entry = ((Next.Ready) store.frontier().next(claim, LinkedSite.NOON)).entry();
    DomainQueue later =
        DomainQueue.open(
            link,
            "test",
            claim.domain(),
            claim.token() + 1,
            100,
            Optional.empty(),
            () -> {
              throw new AssertionError("lost");
            });
    long before = later.size();
    assertThatThrownBy(() -> store.settle(claim, site.answered(claim, entry)))
        .isInstanceOf(ClaimLost.class);
    later.acknowledge(List.of());
    assertThat(later.size()).isEqualTo(before);
    assertThat(rows("SELECT count(*) FROM pages")).containsExactly("30");
  }

  @Test
  void a_holder_whose_lost_queue_is_made_anew_by_a_later_claim_has_lost_its_claim() {
    AtomicBoolean isLater = new AtomicBoolean();
    QueueCheckpoints slow =
        (QueueCheckpoints)
            Proxy.newProxyInstance(
                QueueCheckpoints.class.getClassLoader(),
                new Class<?>[] {QueueCheckpoints.class},
                (_, method, arguments) -> {
                  if (isLater.get() && method.getName().equals("last")) {
                    Claim claim = (Claim) arguments[0];
                    openLater(claim);
                  }
                  return method.invoke(inner.checkpoints(), arguments);
                });
    CrawlStore one = new RedisFrontierStore(inner, slow, settings(), link, "test", 4);
    Claim claim = site.crawl(one, 30).orElseThrow();
    redis.tell("FLUSHALL");
    isLater.set(true);
    assertThatThrownBy(() -> site.crawl(one, claim, PAGES)).isInstanceOf(ClaimLost.class);
  }

  /** Opens the queue of a claim for one that came after it. */
  private void openLater(Claim claim) {
    DomainQueue.open(
        link, "test", claim.domain(), claim.token() + 1, 100, Optional.empty(), () -> {});
  }

  @Test
  void links_beyond_the_limit_of_a_domain_are_counted_once_and_not_kept() throws SQLException {
    StoreSettings narrow = settings().with(StoreLimits.DEFAULTS.withMaxUnfinished(20));
    CrawlStore small = new RedisFrontierStore(inner, inner.checkpoints(), narrow, link, "small", 4);
    Claim claim = site.crawl(small, 30).orElseThrow();
    small.release(claim, claim.state(), new Ending.Stopped(), LinkedSite.NOON);
    assertThat(Long.parseLong(rows("SELECT urls_over_cap FROM domains").getFirst()))
        .isBetween(1L, 61L);
    assertThat(Long.parseLong(rows("SELECT frontier_elsewhere FROM domains").getFirst()))
        .isLessThanOrEqualTo(20);
    Set<String> kept = Set.copyOf(rows("SELECT pages_discovered - urls_over_cap FROM domains"));
    assertThat(kept).isEqualTo(Set.copyOf(rows("SELECT count(*) FROM domain_frontier")));
  }

  @Test
  void a_frontier_moves_from_the_store_to_redis_and_back_and_no_page_is_lost() throws SQLException {
    // In the store at first.
    Claim claim = site.crawl(inner, 30).orElseThrow();
    inner.release(
        claim, inner.state(claim.domain()).orElseThrow(), new Ending.Stopped(), LinkedSite.NOON);
    FrontierMove move = new FrontierMove(inner, inner.checkpoints(), settings(), link);
    assertThat(move.toRedis(List.of(claim.domain())))
        .isEqualTo(new FrontierMove.MovedUrls(1, 61, 0));
    assertThat(rows("SELECT frontier_size || ' ' || frontier_elsewhere FROM domains"))
        .containsExactly("0 61");
    assertThat(rows("SELECT count(*) FROM domain_frontier")).containsExactly("30");
    String namespace = inner.checkpoints().home().orElseThrow().namespace();
    store = new RedisFrontierStore(inner, inner.checkpoints(), settings(), link, namespace, 4);
    stop(site.crawl(store, 30).orElseThrow());
    assertThat(move.toStore().left()).isZero();
    assertThat(inner.checkpoints().home()).isEmpty();
    assertThat(redis.tell("DBSIZE")).isEqualTo(":0");
    assertThat(site.crawl(inner, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_move_that_was_broken_off_is_made_again() throws SQLException {
    stop(site.crawl(store, 60).orElseThrow());
    inner.checkpoints().moveTo(Optional.of(new QueueHome(redis.url(), "test")));
    CrawlStore dying =
        new ForwardingStore(inner) {
          @Override
          public int add(List<QueuedUrl> urls, java.time.Instant now) {
            inner.add(urls.subList(0, urls.size() / 2), now);
            throw new IllegalStateException("the process dies");
          }
        };
    assertThatThrownBy(
            () -> new FrontierMove(dying, inner.checkpoints(), settings(), link).toStore())
        .hasMessage("the process dies");
    new FrontierMove(inner, inner.checkpoints(), settings(), link).toStore();
    assertThat(inner.checkpoints().home()).isEmpty();
    assertThat(site.crawl(inner, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_move_to_redis_keeps_what_redis_had_already_and_the_store_has() throws SQLException {
    stop(site.crawl(store, 60).orElseThrow());
    inner.checkpoints().moveTo(Optional.of(new QueueHome(redis.url(), "test")));
    FrontierMove move = new FrontierMove(inner, inner.checkpoints(), settings(), link);
    assertThat(move.toRedis(List.of(new DomainName("site.example"))).urls()).isBetween(1L, 8L);
    assertThat(rows("SELECT count(*) FROM domain_frontier WHERE state = 0")).containsExactly("0");
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void a_move_to_a_redis_that_was_emptied_notices_it() throws SQLException {
    stop(site.crawl(store, 60).orElseThrow());
    inner.checkpoints().moveTo(Optional.of(new QueueHome(redis.url(), "test")));
    redis.tell("FLUSHALL");
    FrontierMove move = new FrontierMove(inner, inner.checkpoints(), settings(), link);
    move.toRedis(List.of(new DomainName("site.example")));
    assertThat(site.crawl(store, 10 * PAGES)).isEmpty();
    assertThat(rows("SELECT count(*) FROM audit WHERE action = 'frontier lost'"))
        .containsExactly("1");
    assertWhole();
  }

  @Test
  void a_queue_that_was_lost_before_it_was_moved_is_found_again_by_its_links() throws SQLException {
    stop(site.crawl(store, 60).orElseThrow());
    inner.checkpoints().moveTo(Optional.of(new QueueHome(redis.url(), "test")));
    redis.tell("FLUSHALL");
    new FrontierMove(inner, inner.checkpoints(), settings(), link).toStore();
    assertThat(rows("SELECT action FROM audit ORDER BY id"))
        .containsExactly("frontier moved", "frontier lost", "frontier moved");
    assertThat(site.crawl(inner, 10 * PAGES)).isEmpty();
    assertWhole();
  }

  @Test
  void a_redis_that_evicts_or_forgets_is_refused_with_the_setting_and_the_fix() {
    link.requireDurable();
    redis.tell("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    assertThatThrownBy(link::requireDurable)
        .hasMessageContaining("maxmemory-policy noeviction")
        .hasMessageContaining(redis.url());
    redis.tell("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.tell("CONFIG", "SET", "appendonly", "no");
    assertThatThrownBy(link::requireDurable).hasMessageContaining("CONFIG SET appendonly yes");
  }

  @Test
  void a_password_is_used_and_never_shown() {
    redis.tell("CONFIG", "SET", "requirepass", "geheim");
    String host = redis.url().substring("redis://".length());
    RedisAddress right = RedisAddress.parse("redis://:geheim@" + host);
    try (RedisLink known = RedisLink.connect(right, trouble::add)) {
      known.requireDurable();
      assertThat(known.address().toString()).doesNotContain("geheim").contains(host);
    }
    assertThatThrownBy(
            () -> RedisLink.connect(RedisAddress.parse("redis://u:falsch@" + host), trouble::add))
        .hasMessageNotContaining("falsch")
        .hasMessageContaining(host);
    assertThatThrownBy(() -> RedisAddress.parse("redis://u:falsch@" + host + ":x:y"))
        .hasMessageNotContaining("falsch");
  }
}
