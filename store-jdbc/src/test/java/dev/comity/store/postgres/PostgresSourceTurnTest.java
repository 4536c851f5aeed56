package dev.comity.store.postgres;

import static dev.comity.store.support.Stores.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.store.StoreSettings;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.PostgresSources;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The turn of a source, taken by two workers of one database. */
class PostgresSourceTurnTest {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final String url = Databases.url();
  private final AtomicReference<Instant> time = new AtomicReference<>(NOON);
  private final PostgresDatabase database = PostgresDatabase.at(url).by(time::get);
  private PostgresStore one;
  private PostgresStore other;

  @BeforeEach
  void open() {
    one = worker("one", Duration.ZERO);
    other = worker("other", Duration.ZERO);
    new PostgresSources(database, "a test").addSource("news", Optional.of(INTERVAL));
  }

  /** A worker whose clock is so far ahead of the database's. */
  private PostgresStore worker(String name, Duration ahead) {
    StoreSettings settings = Stores.SETTINGS.named(name);
    PostgresStore store =
        PostgresStore.open(
            database,
            new StoreSettings(
                settings.policy(),
                settings.grouping(),
                settings.limits(),
                name,
                settings.off(),
                () -> time.get().plus(ahead),
                settings.trouble()));
    store.begin(Stores.TERMS, NOON);
    return store;
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    Databases.giveBack(url);
  }

  private static boolean takes(CrawlStore store, Instant now) {
    return store.takeTurn("news", now) instanceof SourceTurn.TurnTaken;
  }

  @Test
  void of_two_workers_that_race_for_a_turn_one_gets_it_each_interval() {
    for (int round = 0; round < 50; round++) {
      Instant now = time.get();
      List<CompletableFuture<Boolean>> race =
          Stream.of(one, other)
              .map(store -> CompletableFuture.supplyAsync(() -> takes(store, now)))
              .toList();
      assertThat(race.stream().map(CompletableFuture::join)).containsOnlyOnce(true);
      time.set(now.plus(INTERVAL).minusMillis(1));
      assertThat(takes(one, time.get()) || takes(other, time.get())).isFalse();
      time.set(now.plus(INTERVAL));
    }
  }

  @Test
  void a_turn_goes_by_the_clock_of_the_database_and_not_by_that_of_a_worker() {
    Duration wrong = Duration.ofMinutes(10);
    try (PostgresStore ahead = worker("ahead", wrong);
        PostgresStore behind = worker("behind", wrong.negated())) {
      assertThat(takes(one, NOON)).isTrue();
      time.set(NOON.plusSeconds(4));
      assertThat(ahead.takeTurn("news", time.get().plus(wrong)))
          .isEqualTo(new SourceTurn.NotBefore(NOON.plus(INTERVAL).plus(wrong)));
      assertThat(behind.takeTurn("news", time.get().minus(wrong)))
          .isEqualTo(new SourceTurn.NotBefore(NOON.plus(INTERVAL).minus(wrong)));
      assertThat(ahead.pace("news").dueAfter(time.get().plus(wrong)))
          .contains(NOON.plus(INTERVAL).plus(wrong));
      assertThat(behind.pace("news").dueAfter(time.get().minus(wrong)))
          .contains(NOON.plus(INTERVAL).minus(wrong));
      time.set(NOON.plus(INTERVAL));
      assertThat(takes(ahead, time.get().plus(wrong))).isTrue();
      assertThat(behind.pace("news").dueAfter(time.get().minus(wrong)))
          .contains(time.get().minus(wrong).plus(INTERVAL));
      assertThat(one.lastStartOfSource("news")).contains(time.get());
    }
  }

  @Test
  void a_logged_start_of_a_worker_whose_clock_is_ahead_is_no_later_than_now() {
    QueuedUrl entry = Stores.seeds("http://a.example/").getFirst().of("news");
    one.offer(entry, NOON);
    Claim claim = one.claim(1, NOON).getFirst();
    time.set(NOON.minusSeconds(600));
    one.settle(claim, Stores.page(Stores.take(one, claim), claim));
    assertThat(other.lastStartOfSource("news")).contains(NOON.minusSeconds(600));
  }

  @Test
  void the_last_start_stays_when_the_log_is_pruned() throws SQLException {
    one.offer(Stores.seeds("http://a.example/").getFirst().of("news"), NOON);
    Claim claim = one.claim(1, NOON).getFirst();
    one.settle(claim, Stores.page(Stores.take(one, claim), claim));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("DELETE FROM crawl_log")).isOne();
    }
    time.set(NOON.plusSeconds(9));
    assertThat(takes(other, time.get())).isFalse();
    time.set(NOON.plusSeconds(10));
    assertThat(takes(other, time.get())).isTrue();
  }
}
