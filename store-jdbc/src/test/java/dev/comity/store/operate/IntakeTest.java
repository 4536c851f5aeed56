package dev.comity.store.operate;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static dev.comity.store.support.Stores.page;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds brought into a data directory from outside. */
class IntakeTest implements IntakeContract {
  @TempDir private Path home;

  @Override
  public SqliteStore store(StoreSettings settings) {
    return SqliteStore.open(new DataDirectory(home), settings);
  }

  @Override
  public Intake intake(StoreSettings settings) {
    return DirectoryIntake.open(new DataDirectory(home), settings);
  }

  @Override
  public SourceOperations sources() {
    return new DirectorySources(new DataDirectory(home), "a test", () -> NOON);
  }

  @Override
  public void addsUp(List<String> excused) {
    assertThat(new Doctor(new DataDirectory(home)).examine(_ -> {}))
        .flatMap(Examination::findings)
        .filteredOn(finding -> excused.stream().noneMatch(finding.words()::contains))
        .isEmpty();
  }

  @Test
  void authorities_that_two_processes_meet_have_one_number_each() {
    try (SqliteStore store = Stores.begun(store(Stores.SETTINGS));
        Intake intake = intake(Stores.SETTINGS)) {
      store.add(seeds("http://a.example/"), NOON);
      Claim claim = store.claim(1, NOON).getFirst();
      QueuedUrl first = Stores.take(store, claim);
      intake.take(seeds("https://www.a.example/3"), Map.of(), NOON);
      store.settle(claim, page(first, claim, seeds("http://www.a.example/4").getFirst()));
    }
    assertThat(number(home, "SELECT count(DISTINCT number) FROM authorities")).isEqualTo(3);
  }

  @Test
  void no_url_is_lost_where_two_write_and_all_keys_are_the_same() {
    DataDirectory directory = new DataDirectory(home);
    try (SqliteStore store =
            Stores.begun(SqliteStore.open(directory, Stores.SETTINGS, () -> _ -> 7));
        Intake intake = DirectoryIntake.open(directory, Stores.SETTINGS, () -> _ -> 7)) {
      assertThat(store.add(urls(0, 10), NOON)).isEqualTo(10);
      assertThat(intake.take(urls(5, 20), Map.of(), NOON).added()).isEqualTo(10);
      assertThat(store.add(urls(15, 40), NOON)).isEqualTo(20);
      assertThat(intake.take(urls(0, 41), Map.of(), NOON).added()).isEqualTo(1);
    }
    assertThat(number(home, "SELECT count(DISTINCT target) FROM domain_frontier")).isEqualTo(41);
    addsUp(List.of("is kept under the key of another text"));
  }

  private static List<QueuedUrl> urls(int from, int to) {
    List<QueuedUrl> urls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      urls.add(QueuedUrl.seed(CrawlUrl.of("http://a.example/" + i), Optional.empty()));
    }
    return urls;
  }

  @Test
  void nothing_is_taken_of_a_batch_that_fails() {
    try (Intake intake = intake(Stores.SETTINGS)) {
      intake.take(seeds("http://a.example/"), Map.of(), NOON);
    }
    ToLongFunction<CrawlUrl> failing =
        url -> {
          throw new IllegalStateException("no key for " + url);
        };
    try (Intake intake =
        DirectoryIntake.open(new DataDirectory(home), Stores.SETTINGS, () -> failing)) {
      assertThatThrownBy(() -> intake.take(seeds("http://b.example/"), Map.of(), NOON))
          .isInstanceOf(IllegalStateException.class);
      // The lock is free again: others write.
      try (SqliteStore store = Stores.begun(store(Stores.SETTINGS))) {
        assertThat(store.claim(10, NOON))
            .extracting(claim -> claim.domain().name())
            .containsExactly("a.example");
      }
    }
    addsUp(List.of());
  }
}
