package dev.comity.store.sqlite;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.operate.DirectoryIntake;
import dev.comity.store.operate.Intake;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places a run in seed order gives are for that run: the next one goes by priority. */
class SeedOrderTest {
  @TempDir private Path home;

  private static List<DomainName> names(String... names) {
    return Stream.of(names).map(DomainName::new).toList();
  }

  /** In which order they are claimed; they are given back. */
  private static List<String> claimOrder(SqliteStore store) {
    List<Claim> claims = store.claim(3, NOON);
    List<String> order = claims.stream().map(claim -> claim.domain().name()).toList();
    claims.forEach(claim -> store.release(claim, claim.state(), new Ending.Stopped(), NOON));
    return order;
  }

  @BeforeEach
  void a_run_in_seed_order() {
    try (SqliteStore store = Stores.open(home)) {
      store.add(
          seeds(
              "http://small.example/",
              "http://big.example/",
              "http://big.example/2",
              "http://ranked.example/"),
          NOON);
      store.rank(Map.of(new DomainName("ranked.example"), 1L), NOON);
      store.order(names("small.example", "big.example", "ranked.example"), NOON);
      assertThat(claimOrder(store))
          .containsExactly("small.example", "big.example", "ranked.example");
    }
  }

  @Test
  void the_next_run_goes_by_priority_from_its_first_claim() {
    try (SqliteStore store = Stores.open(home)) {
      assertThat(claimOrder(store))
          .containsExactly("ranked.example", "big.example", "small.example");
    }
    assertThat(number(home, "SELECT count(*) FROM workers WHERE flags <> ''")).isZero();
  }

  @Test
  void so_does_one_after_a_run_that_was_in_another_order_again() {
    try (SqliteStore store = Stores.open(home)) {
      store.order(names("big.example", "small.example"), NOON);
      assertThat(claimOrder(store).getFirst()).isEqualTo("big.example");
    }
    try (SqliteStore store = Stores.open(home)) {
      assertThat(claimOrder(store).getFirst()).isEqualTo("ranked.example");
    }
  }

  @Test
  void ranks_that_are_brought_from_outside_do_not_disturb_the_order_but_count_afterwards() {
    try (SqliteStore store = Stores.open(home)) {
      store.order(names("small.example", "big.example", "ranked.example"), NOON);
      try (Intake intake = DirectoryIntake.open(new DataDirectory(home), Stores.SETTINGS)) {
        intake.take(
            seeds("http://new.example/"),
            Map.of(new DomainName("new.example"), 2L, new DomainName("big.example"), 3L),
            NOON);
      }
      assertThat(
              number(
                  home,
                  "SELECT max(priority_score) FROM domains"
                      + " WHERE domain IN ('new.example', 'big.example')"))
          .isEqualTo(2);
    }
    try (SqliteStore store = Stores.open(home)) {
      assertThat(store.claim(4, NOON).stream().map(claim -> claim.domain().name()))
          .containsExactly("new.example", "ranked.example", "big.example", "small.example");
      assertThat(number(home, "SELECT priority_score FROM domains WHERE domain = 'new.example'"))
          .isGreaterThan(1000);
    }
  }
}
