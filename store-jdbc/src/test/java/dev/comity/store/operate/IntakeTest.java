package dev.comity.store.operate;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static dev.comity.store.support.Stores.page;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
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
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds brought from outside into a store that a crawl has open: two connections, one database. */
class IntakeTest {
  @TempDir private Path home;

  /** A crawl that may go that far, with the seeds of its run planted. */
  private SqliteStore crawl(String scope, String... seeds) {
    SqliteStore store = SqliteStore.open(new DataDirectory(home), Stores.SETTINGS);
    begin(store, scope, seeds);
    return store;
  }

  private static void begin(SqliteStore store, String scope, String... seeds) {
    List<CrawlUrl> urls = List.of(seeds).stream().map(CrawlUrl::of).toList();
    store.begin(new RunTerms(urls, new TreeMap<>(Map.of("scope", scope)), 1000, 1000), NOON);
    if (!scope.equals("any")) {
      store.confine(urls.stream().map(CrawlUrl::domain).toList());
    }
    store.add(seeds(seeds), NOON);
  }

  private Intake intake() {
    return Intake.open(new DataDirectory(home), Stores.SETTINGS);
  }

  private static Intake.Taken take(Intake intake, String... urls) {
    return intake.take(seeds(urls), Map.of(), NOON);
  }

  private static List<String> claimed(SqliteStore store) {
    return store.claim(10, NOON).stream().map(claim -> claim.domain().name()).sorted().toList();
  }

  /** Gives a domain back of which nothing is left. */
  private static void exhaust(SqliteStore store, Claim claim) {
    DomainState done = Stores.POLICY.idle(Stores.POLICY.claimed(claim.state(), NOON));
    store.release(claim, done, new Ending.Exhausted(), NOON);
  }

  /** Pages are settled here at one moment, and the domain's state is not told of their starts. */
  private static final String[] UNPACED = {"its last start", "started 0 ms apart"};

  /**
   * @param excused words of findings that the test itself causes
   */
  private void addsUp(String... excused) {
    assertThat(new Doctor(new DataDirectory(home)).examine(_ -> {}))
        .flatMap(Examination::findings)
        .filteredOn(finding -> Stream.of(excused).noneMatch(finding.words()::contains))
        .isEmpty();
  }

  @Test
  void a_directory_there_is_not_is_made() {
    try (Intake intake = intake()) {
      assertThat(take(intake, "http://a.example/", "http://a.example/", "http://b.example/"))
          .isEqualTo(new Intake.Taken(2, 0, 0));
      assertThat(intake.isBesideCrawl()).isFalse();
    }
    try (SqliteStore store = crawl("any")) {
      assertThat(claimed(store)).containsExactly("a.example", "b.example");
    }
    addsUp();
  }

  @Test
  void a_crawl_that_may_go_anywhere_claims_domains_it_never_heard_of() {
    try (SqliteStore store = crawl("any", "http://a.example/");
        Intake intake = intake()) {
      assertThat(claimed(store)).containsExactly("a.example");
      assertThat(take(intake, "http://b.example/")).isEqualTo(new Intake.Taken(1, 0, 0));
      assertThat(intake.isBesideCrawl()).isTrue();
      assertThat(claimed(store)).containsExactly("b.example");
    }
    addsUp();
  }

  @Test
  void a_run_about_other_domains_leaves_them_to_the_next() {
    try (SqliteStore store = crawl("seeds", "http://a.example/");
        Intake intake = intake()) {
      assertThat(take(intake, "http://b.example/", "http://a.example/2"))
          .isEqualTo(new Intake.Taken(2, 1, 0));
      assertThat(claimed(store)).containsExactly("a.example");
      assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Others(1, Optional.empty()));
      store.end(RunEnding.FINISHED, NOON);
      begin(store, "any");
      assertThat(claimed(store)).containsExactly("b.example");
    }
    addsUp();
  }

  @Test
  void one_that_was_crawled_to_its_end_by_another_run_wakes_up_for_the_next_alone() {
    try (SqliteStore store = crawl("seeds", "http://b.example/")) {
      Claim claim = store.claim(1, NOON).getFirst();
      store.settle(claim, page(Stores.take(store, claim), claim));
      exhaust(store, claim);
      store.end(RunEnding.FINISHED, NOON);
      begin(store, "seeds", "http://a.example/");
      try (Intake intake = intake()) {
        assertThat(take(intake, "http://b.example/2")).isEqualTo(new Intake.Taken(1, 1, 0));
        assertThat(intake.state(new DomainName("b.example")).orElseThrow().standing().status())
            .isEqualTo(DomainStatus.PENDING);
      }
      assertThat(claimed(store)).containsExactly("a.example");
      store.end(RunEnding.FINISHED, NOON);
      begin(store, "any");
      assertThat(claimed(store)).containsExactly("b.example");
    }
    addsUp(UNPACED);
  }

  @Test
  void a_run_that_begins_while_a_file_is_read_is_heeded() {
    try (Intake intake = intake()) {
      take(intake, "http://b.example/");
      try (SqliteStore store = crawl("seeds", "http://a.example/")) {
        assertThat(take(intake, "http://c.example/", "http://a.example/2"))
            .isEqualTo(new Intake.Taken(2, 1, 0));
        assertThat(claimed(store)).containsExactly("a.example");
      }
    }
    addsUp();
  }

  @Test
  void the_holder_of_a_domain_finds_what_arrived_and_counts_it_in() {
    try (SqliteStore store = crawl("seeds", "http://a.example/");
        Intake intake = intake()) {
      Claim claim = store.claim(1, NOON).getFirst();
      QueuedUrl first = Stores.take(store, claim);
      take(intake, "http://a.example/2", "https://www.a.example/3");
      addsUp(UNPACED);
      store.settle(claim, page(first, claim, seeds("http://www.a.example/4").getFirst()));
      List<String> rest = new ArrayList<>();
      while (store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)) {
        rest.add(entry.url().toString());
      }
      assertThat(rest)
          .containsExactly(
              "http://a.example/2", "https://www.a.example/3", "http://www.a.example/4");
      addsUp(UNPACED);
    }
    addsUp(UNPACED);
    assertThat(number(home, "SELECT count(DISTINCT number) FROM authorities")).isEqualTo(3);
  }

  @Test
  void a_domain_that_is_given_back_between_two_batches_is_woken_by_the_second() {
    try (SqliteStore store = crawl("seeds", "http://a.example/");
        Intake intake = intake()) {
      Claim claim = store.claim(1, NOON).getFirst();
      take(intake, "http://a.example/2");
      for (int i = 0; i < 2; i++) {
        store.settle(claim, page(Stores.take(store, claim), claim));
      }
      exhaust(store, claim);
      assertThat(store.claim(1, NOON)).isEmpty();
      take(intake, "http://a.example/3");
      assertThat(claimed(store)).containsExactly("a.example");
    }
    addsUp(UNPACED);
  }

  @Test
  void no_url_is_lost_where_two_write_and_all_keys_are_the_same() {
    DataDirectory directory = new DataDirectory(home);
    try (SqliteStore store =
            Stores.begun(SqliteStore.open(directory, Stores.SETTINGS, () -> _ -> 7));
        Intake intake = Intake.open(directory, Stores.SETTINGS, () -> _ -> 7)) {
      assertThat(store.add(urls(0, 10), NOON)).isEqualTo(10);
      assertThat(intake.take(urls(5, 20), Map.of(), NOON).added()).isEqualTo(10);
      assertThat(store.add(urls(15, 40), NOON)).isEqualTo(20);
      assertThat(intake.take(urls(0, 41), Map.of(), NOON).added()).isEqualTo(1);
    }
    assertThat(number(home, "SELECT count(DISTINCT target) FROM domain_frontier")).isEqualTo(41);
    addsUp("is kept under the key of another text");
  }

  private static List<QueuedUrl> urls(int from, int to) {
    List<QueuedUrl> urls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      urls.add(QueuedUrl.seed(CrawlUrl.of("http://a.example/" + i), Optional.empty()));
    }
    return urls;
  }

  @Test
  void a_domain_has_no_more_room_for_two_than_for_one() {
    StoreSettings small = Stores.SETTINGS.with(StoreLimits.DEFAULTS.withMaxUnfinished(10));
    DataDirectory directory = new DataDirectory(home);
    try (SqliteStore store = Stores.begun(SqliteStore.open(directory, small));
        Intake intake = Intake.open(directory, small)) {
      store.add(urls(0, 4), NOON);
      assertThat(intake.take(urls(4, 9), Map.of(), NOON)).isEqualTo(new Intake.Taken(5, 0, 0));
      assertThat(store.add(urls(9, 15), NOON)).isEqualTo(1);
      assertThat(intake.take(urls(15, 18), Map.of(), NOON)).isEqualTo(new Intake.Taken(0, 0, 3));
    }
    addsUp();
  }

  @Test
  void nothing_is_taken_of_a_batch_that_fails() {
    try (Intake intake = intake()) {
      take(intake, "http://a.example/");
    }
    ToLongFunction<CrawlUrl> failing =
        url -> {
          throw new IllegalStateException("no key for " + url);
        };
    try (Intake intake = Intake.open(new DataDirectory(home), Stores.SETTINGS, () -> failing)) {
      assertThatThrownBy(() -> take(intake, "http://b.example/"))
          .isInstanceOf(IllegalStateException.class);
      // The lock is free again: others write.
      try (SqliteStore store = crawl("any")) {
        assertThat(claimed(store)).containsExactly("a.example");
      }
    }
    addsUp();
  }
}
