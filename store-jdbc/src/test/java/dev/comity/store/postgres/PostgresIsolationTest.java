package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.UrlHash;
import dev.comity.store.support.Stores;
import dev.comity.testkit.postgres.LossyProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of two connections in a fixed order, and what a lost answer to a commit leaves. */
class PostgresIsolationTest {
  private static final Instant NOON = Stores.NOON;

  private final List<AutoCloseable> open = new ArrayList<>();
  private String url = "";

  @BeforeEach
  void make() {
    url = Databases.url();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    Databases.giveBack(url);
  }

  private PostgresStore store(String address, String worker) {
    StoreSettings settings = Stores.SETTINGS.named(worker).with(StoreLimits.DEFAULTS);
    PostgresStore store = PostgresStore.open(PostgresDatabase.at(address), settings);
    open.add(store);
    store.begin(Stores.TERMS, NOON);
    return store;
  }

  private PostgresStore store() {
    return store(url, "one");
  }

  private Connection connection() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    open.add(connection);
    return connection;
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static QueuedUrl take(PostgresStore store, Claim claim) {
    return store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)
        ? entry
        : org.junit.jupiter.api.Assertions.fail("nothing is ready");
  }

  private static CrawlUrl url(String text) {
    return CrawlUrl.of(text);
  }

  /** Makes a write of a domain's counters wait for a lock that a test holds. */
  private static final String WAITING =
      """
      CREATE FUNCTION wait_for_test() RETURNS TRIGGER LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$;
      CREATE TRIGGER waiting BEFORE UPDATE ON domains FOR EACH ROW
        WHEN (NEW.pages_discovered <> OLD.pages_discovered) EXECUTE FUNCTION wait_for_test();
      """;

  @Test
  void an_arrival_that_is_committed_while_others_are_folded_is_folded_later() throws Exception {
    PostgresStore store = store();
    store.add(Stores.seeds("http://a.example/"), NOON);
    Claim claim = store.claim(1, NOON).getFirst();
    QueuedUrl entry = take(store, claim);
    Connection other = connection();
    String arrive =
        "INSERT INTO arrivals (domain_id, discovered, over_cap) SELECT id, %d, 0 FROM domains";
    run(other, WAITING);
    run(other, arrive.formatted(3));
    other.commit();
    run(other, "SELECT pg_advisory_lock(42)");
    CompletableFuture<Object> settling =
        CompletableFuture.supplyAsync(() -> store.settle(claim, Stores.page(entry, claim)));
    awaitLock();
    run(other, arrive.formatted(4));
    other.commit();
    run(other, "SELECT pg_advisory_unlock(42)");
    settling.join();
    assertThat(number(other, "SELECT frontier_size FROM domains")).isEqualTo(3);
    assertThat(number(other, "SELECT sum(discovered) FROM arrivals")).isEqualTo(4);
    run(other, "DROP TRIGGER waiting ON domains; DROP FUNCTION wait_for_test()");
    other.commit();
  }

  /** Waits until a statement of the store waits for a lock. */
  private void awaitLock() throws SQLException {
    try (Connection look = DriverManager.getConnection(url)) {
      while (number(
              look,
              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                  + " AND datname = current_database()")
          == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void a_link_that_is_committed_after_its_domain_was_given_back_wakes_it() throws Exception {
    PostgresStore store = store();
    store.add(Stores.seeds("http://a.example/"), NOON);
    Claim claim = store.claim(1, NOON).getFirst();
    store.settle(claim, Stores.page(take(store, claim), claim));
    Connection other = connection();
    long id = number(other, "SELECT id FROM domains");
    // Another worker's group inserts a URL, and does not see that the domain is given back.
    run(
        other,
        """
        INSERT INTO domain_frontier (id, domain_id, url_hash, place, discovered_at, depth, url)
        VALUES (nextval('url_ids'), %d, '%s', 1, 0, 1, 'http://a.example/late')
        """
            .formatted(id, UrlHash.of(url("http://a.example/late"))));
    run(
        other,
        "INSERT INTO arrivals (domain_id, discovered, over_cap) VALUES (%d, 1, 0)".formatted(id));
    store.release(
        claim,
        Stores.POLICY.emptied(Stores.POLICY.claimed(claim.state(), NOON), NOON),
        new Ending.Exhausted(),
        NOON);
    assertThat(store.claim(1, NOON)).isEmpty();
    other.commit();
    Claim again = store.claim(1, NOON).getFirst();
    assertThat(take(store, again).url()).isEqualTo(url("http://a.example/late"));
  }

  @Test
  void groups_that_find_the_same_new_urls_in_another_order_never_wait_in_a_circle()
      throws Exception {
    int workers = 4;
    int rounds = 15;
    List<PostgresStore> stores = new ArrayList<>();
    for (int n = 0; n < workers; n++) {
      stores.add(store(url, "w" + n));
      stores.getFirst().add(Stores.seeds("http://s" + n + ".example/"), NOON);
    }
    List<Callable<Void>> work = new ArrayList<>();
    for (int n = 0; n < workers; n++) {
      PostgresStore store = stores.get(n);
      int seed = n;
      Claim claim = store.claim(1, NOON).getFirst();
      QueuedUrl page = take(store, claim);
      work.add(
          () -> {
            for (int round = 0; round < rounds; round++) {
              int first = round * 40;
              List<QueuedUrl> links =
                  new ArrayList<>(
                      IntStream.range(first, first + 40)
                          .mapToObj(i -> page.link(url("http://t" + i % 7 + ".example/" + i)))
                          .toList());
              Collections.shuffle(links, new java.util.Random(seed * 100L + round));
              store.add(links, NOON);
            }
            return null;
          });
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> one : threads.invokeAll(work)) {
        one.get();
      }
    }
    Connection look = connection();
    assertThat(stores).allMatch(store -> store.repeats() == 0);
    assertThat(number(look, "SELECT count(*) FROM domain_frontier"))
        .isEqualTo(workers + rounds * 40L);
    assertThat(
            number(
                look,
                "SELECT sum(frontier_size) + (SELECT coalesce(sum(discovered), 0) FROM arrivals)"
                    + " FROM domains"))
        .as("each was counted once")
        .isEqualTo(workers + rounds * 40L);
  }

  @Test
  void a_holder_whose_claim_was_taken_over_writes_nothing() throws Exception {
    PostgresStore one = store();
    PostgresStore other = store(url, "other");
    one.add(Stores.seeds("http://a.example/"), NOON);
    Claim old = one.claim(1, NOON).getFirst();
    QueuedUrl entry = take(one, old);
    Connection look = connection();
    run(look, "UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1");
    look.commit();
    Claim present = other.claim(1, NOON).getFirst();
    assertThat(present.takenOver()).isTrue();
    assertThat(present.token()).isGreaterThan(old.token());
    assertThatThrownBy(() -> one.settle(old, Stores.page(entry, old)))
        .isInstanceOf(ClaimLost.class);
    assertThat(number(look, "SELECT count(*) FROM crawl_log")).isZero();
    assertThat(number(look, "SELECT count(*) FROM domain_frontier WHERE state <> 0")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"claimed_by = NULL", "claim_token = claim_token + 1"})
  void a_settle_waits_for_a_claim_that_is_being_ended_and_is_lost_then(String change)
      throws Exception {
    PostgresStore store = store();
    store.add(Stores.seeds("http://a.example/"), NOON);
    Claim claim = store.claim(1, NOON).getFirst();
    QueuedUrl entry = take(store, claim);
    Connection operator = connection();
    run(operator, "UPDATE domains SET version = version + 1, " + change);
    CompletableFuture<Object> settling =
        CompletableFuture.supplyAsync(() -> store.settle(claim, Stores.page(entry, claim)));
    awaitLock();
    operator.commit();
    assertThatThrownBy(settling::join).hasRootCauseInstanceOf(ClaimLost.class);
    assertThat(number(operator, "SELECT count(*) FROM crawl_log")).isZero();
  }

  @Test
  void many_workers_at_once_claim_no_domain_twice_and_leave_none() throws Exception {
    int workers = 8;
    PostgresStore first = store();
    first.add(
        IntStream.range(0, 400)
            .mapToObj(n -> QueuedUrl.seed(url("http://d" + n + ".example/"), Optional.empty()))
            .toList(),
        NOON);
    List<Callable<List<String>>> claimers = new ArrayList<>();
    for (int n = 0; n < workers; n++) {
      PostgresStore store = store(url, "w" + n);
      claimers.add(
          () -> {
            List<String> mine = new ArrayList<>();
            int empty = 0;
            while (empty < 3) {
              List<Claim> some = store.claim(10, NOON);
              empty = some.isEmpty() ? empty + 1 : 0;
              some.forEach(claim -> mine.add(claim.domain().name()));
            }
            return mine;
          });
    }
    List<String> claimed = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<String>> one : threads.invokeAll(claimers)) {
        claimed.addAll(one.get());
      }
    }
    assertThat(claimed).hasSize(400).doesNotHaveDuplicates();
  }

  @Test
  void a_commit_whose_answer_was_lost_is_looked_up_and_counted_once() throws Exception {
    int pages = 16;
    LossyProxy proxy = LossyProxy.to(url);
    open.add(proxy);
    PostgresStore store = store(proxy.url(), "one");
    store.add(
        IntStream.range(0, pages)
            .mapToObj(n -> QueuedUrl.seed(url("http://a.example/" + n), Optional.empty()))
            .toList(),
        NOON);
    Claim claim = store.claim(1, NOON).getFirst();
    Set<CrawlUrl> asked = new HashSet<>();
    for (int n = 0; n < pages; n++) {
      QueuedUrl entry = take(store, claim);
      asked.add(entry.url());
      if (n % 2 == 0) {
        // Every second one, before or after the server has heard it.
        proxy.cutAtCommit(n % 4 == 0);
      }
      store.settle(claim, Stores.fate(entry, claim, new Fate.Done(Category.SUCCESS)));
    }
    assertThat(proxy.cuts()).isGreaterThanOrEqualTo(pages / 4);
    assertThat(asked).hasSize(pages);
    Connection look = connection();
    assertThat(number(look, "SELECT count(*) FROM crawl_log")).isEqualTo(pages);
    assertThat(number(look, "SELECT count(*) FROM pages")).isEqualTo(pages);
    assertThat(number(look, "SELECT requests FROM domains")).isEqualTo(pages);
    assertThat(number(look, "SELECT frontier_size FROM domains")).isZero();
    assertThat(store.begin(Stores.TERMS, NOON).pages()).isEqualTo(pages);
  }

  @Test
  void a_claim_a_draw_and_a_release_whose_answers_were_lost_are_made_once() throws Exception {
    LossyProxy proxy = LossyProxy.to(url);
    open.add(proxy);
    PostgresStore store = store(proxy.url(), "one");
    store.add(Stores.seeds("http://a.example/", "http://b.example/", "http://c.example/"), NOON);
    Connection look = connection();
    // Claims sweep first, so some cuts meet a sweep and some a claim.
    List<Claim> claims = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      proxy.cutAtCommit(false);
      claims.addAll(store.claim(1, NOON));
    }
    assertThat(claims).hasSize(3);
    assertThat(number(look, "SELECT sum(claim_token) FROM domains")).isEqualTo(3);
    proxy.cutAtCommit(false);
    assertThat(store.draw(7).granted()).isEqualTo(7);
    for (Claim claim : claims) {
      proxy.cutAtCommit(false);
      store.release(claim, claim.state(), new Ending.Stopped(), NOON);
    }
    look.commit();
    assertThat(number(look, "SELECT allotted FROM crawl_runs")).isEqualTo(7);
    assertThat(number(look, "SELECT count(*) FROM domains WHERE claimed_by IS NULL")).isEqualTo(3);
    assertThat(proxy.cuts()).isGreaterThanOrEqualTo(7);
  }

  @Test
  void what_a_dead_worker_had_in_flight_is_asked_last_and_set_aside_after_three_deaths()
      throws Exception {
    Connection look = connection();
    store().add(Stores.seeds("http://a.example/deadly", "http://a.example/good"), NOON);
    for (int death = 0; death < 3; death++) {
      PostgresStore dying = store(url, "dying" + death);
      Claim claim = dying.claim(1, NOON).getFirst();
      QueuedUrl entry = take(dying, claim);
      while (death > 0 && !entry.url().toString().endsWith("deadly")) {
        entry = take(dying, claim);
      }
      while (number(
              look,
              "SELECT count(*) FROM in_flight i JOIN domain_frontier f ON f.id = i.url_id"
                  + " WHERE f.url LIKE '%deadly'")
          == 0) {
        look.commit();
      }
      // It is not seen again, and its lease ends.
      run(
          look,
          """
          UPDATE workers SET last_seen_at = 0 WHERE ended_at IS NULL
          """);
      run(
          look,
          "UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1"
              + " WHERE claimed_by IS NOT NULL");
      look.commit();
    }
    PostgresStore last = store(url, "last");
    Claim claim = last.claim(1, NOON).getFirst();
    assertThat(take(last, claim).url()).isEqualTo(url("http://a.example/good"));
    assertThat(number(look, "SELECT state FROM domain_frontier WHERE url LIKE '%deadly'"))
        .isEqualTo(4);
    assertThat(number(look, "SELECT urls_set_aside FROM domains")).isEqualTo(1);
  }
}
