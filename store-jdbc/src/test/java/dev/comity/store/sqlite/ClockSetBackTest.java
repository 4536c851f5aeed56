package dev.comity.store.sqlite;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that was set back between two processes makes no time negative. */
class ClockSetBackTest {
  private static final Instant EARLIER = NOON.minus(Duration.ofHours(1));

  @TempDir private Path home;

  @Test
  void nothing_ends_before_it_began() {
    try (SqliteStore store = Stores.open(home)) {
      store.add(Stores.seeds("http://a.example/1", "http://a.example/2"), NOON);
      store.claim(1, NOON);
    }
    StoreSettings earlier = StoreSettings.of(Stores.POLICY, Grouping.BY_HOST, () -> EARLIER);
    try (SqliteStore store = SqliteStore.open(new DataDirectory(home), earlier)) {
      store.begin(Stores.TERMS, EARLIER);
      // The lease of before has not run out by this clock.
      Claim claim = store.claim(1, EARLIER).getFirst();
      QueuedUrl first = Stores.take(store, claim);
      // Its request started at noon.
      store.settle(claim, Stores.page(first, claim));
      store.release(claim, claim.state(), new Ending.Exhausted(), EARLIER);
      assertThat(store.end(RunEnding.OUT_OF_BUDGET, EARLIER)).isTrue();
    }
    assertThat(backwards("crawl_log", "finished_at")).isZero();
    assertThat(backwards("crawl_runs", "ended_at")).isZero();
    assertThat(backwards("crawl_runs", "resumed_at")).isZero();
    assertThat(backwards("jobs", "ended_at")).isZero();
    assertThat(backwards("workers", "ended_at")).isZero();
    assertThat(number(home, "SELECT count(*) FROM crawl_log")).isEqualTo(1);
    assertThat(number(home, "SELECT count(*) FROM jobs WHERE ended_at > 0")).isEqualTo(1);
    assertThat(number(home, "SELECT count(*) FROM crawl_runs WHERE ended_at > 0")).isEqualTo(1);
  }

  private long backwards(String table, String end) {
    return number(home, "SELECT count(*) FROM %s WHERE %s < started_at".formatted(table, end));
  }
}
