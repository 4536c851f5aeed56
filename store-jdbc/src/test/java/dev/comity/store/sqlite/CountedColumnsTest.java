package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the columns of a domain say of its pages and errors. */
class CountedColumnsTest {
  @TempDir private Path home;

  private static String[] urls(int number) {
    return IntStream.range(0, number)
        .mapToObj(page -> "http://a.example/" + page)
        .toArray(String[]::new);
  }

  private static Settlement settled(QueuedUrl entry, Claim claim, FetchOutcome outcome, Fate fate) {
    Attempt attempt = new Attempt(entry.url(), Kind.PAGE, 1, Stores.NOON, Duration.ofSeconds(1));
    return new Settlement(
        entry,
        Optional.of(attempt),
        Optional.of(new Fetched(outcome, Optional.empty(), Duration.ofMillis(100), 0)),
        fate,
        claim.state(),
        List.of(),
        Optional.empty());
  }

  private double number(String column) throws SQLException {
    try (Connection connection = new DataDirectory(home).reading();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + column + " FROM domains")) {
      return row.getDouble(1);
    }
  }

  @Test
  void thirty_three_refusals_in_forty_three_requests_are_thirty_three_errors() throws SQLException {
    try (SqliteStore store = Stores.open(home)) {
      store.add(Stores.seeds(urls(27)), Stores.NOON);
      Claim claim = store.claim(1, Stores.NOON).getFirst();
      FetchOutcome forbidden = new FetchOutcome.Forbidden(403);
      // 17 URLs are asked twice but one, as a forbidden page is.
      for (int page = 0; page < 17; page++) {
        store.settle(
            claim,
            settled(
                Stores.take(store, claim), claim, forbidden, new Fate.Retry(Stores.NOON, true)));
      }
      for (int page = 0; page < 10; page++) {
        store.settle(claim, Stores.page(Stores.take(store, claim), claim));
      }
      for (int page = 0; page < 16; page++) {
        store.settle(
            claim,
            settled(
                Stores.take(store, claim), claim, forbidden, new Fate.Failed(Category.FORBIDDEN)));
      }
      store.release(claim, claim.state(), new Ending.Stopped(), Stores.NOON);
    }
    assertThat(number("total_error_count")).isEqualTo(33);
    assertThat(number("page_requests")).isEqualTo(43);
    assertThat(number("error_rate")).isEqualTo(33 / 43.0);
    assertThat(number("pages_crawled")).isEqualTo(10);
    // One URL left: 2. Crawled today: 0. Lost for errors: 500 x 33 / 43.
    assertThat(number("priority_score")).isEqualTo(-382);
  }

  @Test
  void a_note_that_is_written_twice_is_one_request() throws SQLException {
    try (SqliteStore store = Stores.open(home)) {
      store.add(Stores.seeds(urls(1)), Stores.NOON);
      Claim claim = store.claim(1, Stores.NOON).getFirst();
      Attempt attempt =
          new Attempt(
              CrawlUrl.of("http://a.example/robots.txt"),
              Kind.ROBOTS,
              1,
              Stores.NOON,
              Duration.ofSeconds(1));
      FetchOutcome none = new FetchOutcome.ClientError(404);
      Note note =
          new Note(
              claim.state(),
              Optional.of(
                  new Note.Exchange(
                      attempt, new Fetched(none, Optional.empty(), Duration.ZERO, 0))),
              Optional.empty(),
              List.of());
      store.record(claim, note);
      store.record(claim, note);
    }
    assertThat(number("requests")).isEqualTo(1);
    assertThat(number("page_requests")).isZero();
  }

  @Test
  void a_healthy_site_with_thirty_dead_links_loses_nothing_by_them() throws SQLException {
    try (SqliteStore store = Stores.open(home)) {
      store.add(Stores.seeds(urls(61)), Stores.NOON);
      Claim claim = store.claim(1, Stores.NOON).getFirst();
      for (int page = 0; page < 30; page++) {
        store.settle(claim, Stores.page(Stores.take(store, claim), claim));
        store.settle(
            claim,
            settled(
                Stores.take(store, claim),
                claim,
                new FetchOutcome.ClientError(404),
                new Fate.Done(Category.CLIENT_ERROR)));
      }
      store.release(claim, claim.state(), new Ending.Stopped(), Stores.NOON);
    }
    assertThat(number("total_error_count")).isZero();
    assertThat(number("error_rate")).isZero();
    assertThat(number("pages_crawled")).isEqualTo(60);
    assertThat(number("priority_score")).isEqualTo(2);
  }

  @Test
  void a_page_that_is_asked_again_is_counted_once_and_never_exceeds_what_is_known()
      throws SQLException {
    try (SqliteStore store = Stores.open(home)) {
      store.add(Stores.seeds("http://a.example/"), Stores.NOON);
      for (int round = 0; round < 3; round++) {
        Claim claim = store.claim(1, Stores.NOON).getFirst();
        store.settle(claim, Stores.page(Stores.take(store, claim), claim));
        store.release(
            claim,
            Stores.POLICY.emptied(Stores.POLICY.claimed(claim.state(), Stores.NOON), Stores.NOON),
            new Ending.Exhausted(),
            Stores.NOON);
        store.again(List.of(new DomainName("a.example")), false, Stores.NOON);
      }
    }
    assertThat(number("pages_crawled")).isEqualTo(1);
    assertThat(number("pages_discovered")).isEqualTo(1);
    assertThat(number("page_requests")).isEqualTo(3);
  }
}
