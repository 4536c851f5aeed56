package dev.comity.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.PostgresStore;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.redis.RedisServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers on PostgreSQL whose queues are in Redis: what is lost is noticed, and queues move. */
class PostgresQueuesTest {
  private static final int PAGES = 120;
  private static final DomainName SITE = new DomainName("site.example");
  private static final StoreSettings SETTINGS =
      StoreSettings.of(
              new DomainPolicy(PolicySettings.DEFAULTS),
              Grouping.BY_HOST,
              InstantSource.fixed(LinkedSite.NOON))
          .with(StoreLimits.DEFAULTS);

  private final LinkedSite site = new LinkedSite(PAGES);
  private final String url = PostgresServer.shared().newDatabase();
  private RedisServer redis;
  private RedisLink link;
  private PostgresStore inner;
  private CrawlStore store;

  @BeforeEach
  void open() {
    redis = RedisServer.start();
    link = RedisLink.connect(RedisAddress.parse(redis.url()), _ -> {});
    inner = PostgresStore.open(PostgresDatabase.at(url).by(() -> LinkedSite.NOON), SETTINGS);
    String namespace = FrontierMove.home(inner.checkpoints(), link).namespace();
    store = with(inner, namespace);
    site.begin(store);
  }

  private CrawlStore with(PostgresStore before, String namespace) {
    return new RedisFrontierStore(before, before.checkpoints(), SETTINGS, link, namespace, 4);
  }

  @AfterEach
  void close() {
    inner.close();
    link.close();
    redis.close();
  }

  private FrontierMove move() {
    return new FrontierMove(inner, inner.checkpoints(), SETTINGS, link);
  }

  private void stop(Claim claim) {
    store.release(claim, store.state(SITE).orElseThrow(), new Ending.Stopped(), LinkedSite.NOON);
  }

  private String row(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      return found.next() ? String.valueOf(found.getString(1)) : "";
    }
  }

  private void assertWhole() throws SQLException {
    assertThat(row("SELECT count(*) || ' ' || count(DISTINCT url_id) FROM pages"))
        .isEqualTo(PAGES + " " + PAGES);
    assertThat(row("SELECT sum(pages) FROM lanes")).isEqualTo("" + PAGES);
    assertThat(row("SELECT concat(status, frontier_size, frontier_elsewhere) FROM domains"))
        .isEqualTo("exhausted00");
    assertThat(row("SELECT pages_discovered - urls_done FROM domains")).isEqualTo("0");
  }

  @Test
  void the_row_of_a_domain_says_how_far_its_queue_was_written() throws SQLException {
    stop(site.crawl(store, 40).orElseThrow());
    assertThat(row("SELECT frontier_checkpoint_id FROM domains")).matches("redis:[0-9a-f]{8}:\\d+");
    assertThat(row("SELECT frontier_elsewhere FROM domains"))
        .isEqualTo(redis.tell("ZCARD", key()).substring(1));
    assertThat(row("SELECT frontier_updated_at > 0 FROM domains")).isEqualTo("t");
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).isEqualTo(IntStream.range(0, PAGES).boxed().toList());
    assertWhole();
  }

  private String key() throws SQLException {
    return "frontier:" + row("SELECT namespace FROM queue_home") + ":{" + SITE.name() + "}";
  }

  @Test
  void what_redis_lost_is_noticed_by_the_holder_and_by_the_next_one() throws SQLException {
    Claim claim = site.crawl(store, 30).orElseThrow();
    redis.tell("FLUSHALL");
    stop(site.crawl(store, claim, 20).orElseThrow());
    redis.tell("FLUSHALL");
    assertThat(site.crawl(store, 10 * PAGES)).isEmpty();
    assertThat(new HashSet<>(site.asked())).containsAll(IntStream.range(0, PAGES).boxed().toList());
    assertThat(row("SELECT count(*) FROM audit WHERE action = 'frontier lost'")).isEqualTo("2");
    assertWhole();
  }

  @Test
  void queues_move_both_ways_and_no_page_is_lost() throws SQLException {
    stop(site.crawl(store, 30).orElseThrow());
    assertThat(move().toStore().left()).isZero();
    assertThat(row("SELECT count(*) FROM queue_home")).isEqualTo("0");
    Claim claim = site.crawl(inner, 20).orElseThrow();
    inner.release(claim, inner.state(SITE).orElseThrow(), new Ending.Stopped(), LinkedSite.NOON);
    assertThat(move().toRedis(List.of(SITE)).urls()).isPositive();
    assertThat(row("SELECT count(*) FROM domain_frontier WHERE state = 0")).isEqualTo("0");
    store = with(inner, inner.checkpoints().home().orElseThrow().namespace());
    assertThat(site.crawl(store, PAGES)).isEmpty();
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(PAGES);
    assertWhole();
  }

  @Test
  void queues_do_not_move_while_another_worker_is_on() {
    stop(site.crawl(store, 30).orElseThrow());
    try (PostgresStore _ = inner.another("other")) {
      assertThatThrownBy(() -> move().toStore())
          .hasMessageContaining("while other workers are on, and there are 1");
    }
    assertThat(move().toStore().left()).isZero();
  }
}
