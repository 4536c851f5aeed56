package dev.comity.store.crawl;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.store.support.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that was killed leaves behind, and what the next one makes of it. */
class RecoveryTest {
  @TempDir private Path home;

  /** The files as they are at this moment: what a kill would leave, whatever is still open. */
  private Path killed(String name) {
    try {
      Path copy = Files.createDirectory(home.resolve(name));
      try (Stream<Path> files = Files.list(home.resolve("live"))) {
        for (Path file : files.toList()) {
          // The index into the log is made anew by whoever finds it missing.
          if (!file.toString().endsWith("-shm")) {
            Files.copy(file, copy.resolve(file.getFileName()));
          }
        }
      }
      return copy;
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private SqliteStore live() {
    return Stores.open(home.resolve("live"));
  }

  @Test
  void what_was_settled_is_kept_and_what_was_in_flight_is_asked_again() {
    Path left;
    QueuedUrl inFlight;
    try (SqliteStore store = live()) {
      store.add(Stores.seeds("http://a.example/1", "http://a.example/2"), NOON);
      Claim claim = store.claim(1, NOON).getFirst();
      QueuedUrl first = Stores.take(store, claim);
      inFlight = Stores.take(store, claim);
      QueuedUrl link = first.link(CrawlUrl.of("http://a.example/3"));
      store.settle(claim, Stores.page(first, claim, link));
      left = killed("killed");
    }
    try (SqliteStore store = Stores.open(left)) {
      Claim again = store.claim(1, NOON).getFirst();
      assertThat(again.takenOver()).isTrue();
      assertThat(again.token()).isEqualTo(2);
      assertThat(again.job().pages()).isEqualTo(1);
      assertThat(Stores.take(store, again).url().toString()).isEqualTo("http://a.example/3");
      assertThat(Stores.take(store, again)).isEqualTo(inFlight);
      assertThat(store.frontier().next(again, NOON)).isInstanceOf(Next.Empty.class);
      store.release(again, again.state(), new Ending.Stopped(), NOON);
      assertThat(store.claim(1, NOON).getFirst().takenOver()).isFalse();
    }
    assertThat(number(left, "SELECT count(*) FROM workers WHERE unclean = 1")).isEqualTo(1);
    assertThat(number(left, "SELECT count(*) FROM workers WHERE unclean = 0")).isEqualTo(1);
  }

  @Test
  void a_url_that_killed_its_worker_three_times_is_set_aside() {
    try (SqliteStore store = live()) {
      store.add(Stores.seeds("http://a.example/deadly", "http://a.example/fine"), NOON);
    }
    Path before = home.resolve("live");
    for (int death = 1; death <= 3; death++) {
      Path left = home.resolve("death" + death);
      try (SqliteStore store = Stores.open(before)) {
        Claim claim = store.claim(1, NOON).getFirst();
        if (death == 2) {
          // Everything else comes before it is tried again.
          QueuedUrl fine = Stores.take(store, claim);
          assertThat(fine.url().toString()).isEqualTo("http://a.example/fine");
          store.settle(claim, Stores.page(fine, claim));
        }
        assertThat(Stores.take(store, claim).url().toString()).isEqualTo("http://a.example/deadly");
        // Waits for the writer, so that the note of the taking is on the disk.
        store.takeBack(claim.domain(), claim.token(), state -> state);
        left = copy(before, left);
      }
      before = left;
    }
    try (SqliteStore store = Stores.open(before)) {
      assertThat(store.frontier().next(store.claim(1, NOON).getFirst(), NOON))
          .isEqualTo(new Next.Empty());
      assertThat(store.setAside()).isEqualTo(1);
    }
    assertThat(number(before, "SELECT urls_set_aside FROM domains")).isEqualTo(1);
    assertThat(number(before, "SELECT count(*) FROM domain_frontier WHERE state = 4")).isEqualTo(1);
    assertThat(number(before, "SELECT count(*) FROM audit WHERE action = 'set_aside'"))
        .isEqualTo(1);
  }

  @Test
  void a_sitemap_that_was_being_read_at_a_kill_is_read_again_and_what_it_listed_is_not_lost() {
    QueuedUrl sitemap = QueuedUrl.sitemap(CrawlUrl.of("http://a.example/map.xml"));
    QueuedUrl page = sitemap.listed(CrawlUrl.of("http://a.example/1"));
    QueuedUrl further = sitemap.furtherSitemap(CrawlUrl.of("http://a.example/2.xml"));
    Path left;
    try (SqliteStore store = live()) {
      store.add(List.of(sitemap), NOON);
      Claim claim = store.claim(1, NOON).getFirst();
      assertThat(Stores.take(store, claim)).isEqualTo(sitemap);
      store.record(
          claim,
          new Note(claim.state(), Optional.empty(), Optional.empty(), List.of(page, further)));
      left = killed("killed");
    }
    try (SqliteStore store = Stores.open(left)) {
      Claim again = store.claim(1, NOON).getFirst();
      assertThat(Stores.take(store, again)).isEqualTo(page);
      assertThat(Stores.take(store, again)).isEqualTo(further);
      assertThat(Stores.take(store, again)).isEqualTo(sitemap);
      store.settle(again, Stores.page(sitemap, again));
    }
    assertThat(number(left, "SELECT count(*) FROM pages")).isZero();
  }

  @Test
  void what_was_in_flight_at_one_death_is_simply_asked_again() {
    try (SqliteStore store = live()) {
      store.add(
          Stores.seeds("http://a.example/1", "http://a.example/2", "http://b.example/1"), NOON);
    }
    try (SqliteStore store = Stores.open(diedWithAll(home.resolve("live"), 1))) {
      List<Claim> claims = store.claim(2, NOON);
      assertThat(claims.stream().flatMap(claim -> takeAll(store, claim).stream()))
          .containsExactlyInAnyOrder(
              "http://a.example/1", "http://a.example/2", "http://b.example/1");
    }
  }

  @Test
  void of_those_that_died_twice_each_domain_asks_one_at_a_time_and_no_domain_waits_for_another() {
    try (SqliteStore store = live()) {
      store.add(
          Stores.seeds("http://a.example/1", "http://a.example/2", "http://b.example/1"), NOON);
    }
    try (SqliteStore store = Stores.open(diedWithAll(home.resolve("live"), 2))) {
      Claim a = store.claim(1, NOON).getFirst();
      Claim b = store.claim(1, NOON).getFirst();
      QueuedUrl suspect = Stores.take(store, a);
      assertThat(suspect.url().toString()).isEqualTo("http://a.example/1");
      assertThat(store.frontier().next(a, NOON)).isEqualTo(new Next.DueAt(NOON.plusMillis(250)));
      assertThat(Stores.take(store, b).url().toString()).isEqualTo("http://b.example/1");
      store.settle(a, Stores.page(suspect, a));
      assertThat(Stores.take(store, a).url().toString()).isEqualTo("http://a.example/2");
    }
  }

  /** What is left after that many deaths with every URL in flight. */
  private Path diedWithAll(Path live, int deaths) {
    Path before = live;
    for (int death = 1; death <= deaths; death++) {
      try (SqliteStore store = Stores.open(before)) {
        for (Claim claim : store.claim(10, NOON)) {
          takeAll(store, claim);
        }
        // Waits for the writer, so that the notes of the takings are on the disk.
        store.recalculatePriorities(NOON);
        before = copy(before, home.resolve("dead" + death));
      }
    }
    return before;
  }

  /** Takes what may be taken while nothing is answered. */
  private static List<String> takeAll(SqliteStore store, Claim claim) {
    List<String> taken = new ArrayList<>();
    while (store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)) {
      taken.add(entry.url().toString());
    }
    return taken;
  }

  @Test
  void a_url_that_was_answered_in_between_starts_counting_anew() {
    Path before = home.resolve("live");
    try (SqliteStore store = live()) {
      store.add(Stores.seeds("http://a.example/"), NOON);
    }
    for (int death = 1; death <= 4; death++) {
      Path left = home.resolve("death" + death);
      try (SqliteStore store = Stores.open(before)) {
        Claim claim = store.claim(1, NOON).getFirst();
        QueuedUrl entry = Stores.take(store, claim);
        if (death == 2) {
          store.settle(
              claim, Stores.fate(entry, claim, new dev.comity.core.policy.Fate.Retry(NOON, false)));
          Stores.take(store, claim);
        }
        store.takeBack(claim.domain(), claim.token(), state -> state);
        left = copy(before, left);
      }
      before = left;
    }
    assertThat(number(before, "SELECT count(*) FROM domain_frontier WHERE state = 0")).isEqualTo(1);
  }

  private static Path copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectory(to);
      for (Path file : files.toList()) {
        if (!file.toString().endsWith("-shm")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
      return to;
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void an_operator_who_ends_a_claim_is_heard_at_the_next_write() throws Exception {
    Path data = home.resolve("live");
    try (SqliteStore store = live()) {
      store.add(Stores.seeds("http://a.example/"), NOON);
      Claim claim = store.claim(1, NOON).getFirst();
      QueuedUrl entry = Stores.take(store, claim);
      try (var connection = new DataDirectory(data).writing();
          var statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE domains SET claimed_by = NULL");
      }
      assertThatThrownBy(() -> store.settle(claim, Stores.page(entry, claim)))
          .isInstanceOf(dev.comity.core.port.store.ClaimLost.class);
      assertThatThrownBy(() -> store.frontier().next(claim, NOON))
          .isInstanceOf(dev.comity.core.port.store.ClaimLost.class);
      assertThat(number(data, "SELECT count(*) FROM crawl_log")).isZero();
    }
  }
}
