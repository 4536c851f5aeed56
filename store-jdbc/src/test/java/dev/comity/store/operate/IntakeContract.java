package dev.comity.store.operate;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.page;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.KeptStore;
import dev.comity.store.StoreSettings;
import dev.comity.store.support.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Seeds brought from outside into a store that a crawl has open: two connections, one store. */
public interface IntakeContract {
  /** The store of a crawl, opened once. Its time is noon. */
  KeptStore store(StoreSettings settings);

  /** The intake into the same store, beside it or alone. */
  Intake intake(StoreSettings settings);

  /** What operators do with its sources. */
  SourceOperations sources();

  /**
   * Nothing in the store contradicts the rest.
   *
   * @param excused words of findings that the test itself causes
   */
  void addsUp(List<String> excused);

  private Intake intake() {
    return intake(Stores.SETTINGS);
  }

  /** A crawl that may go that far, with the seeds of its run planted. */
  private KeptStore crawl(String scope, String... seeds) {
    KeptStore store = store(Stores.SETTINGS);
    begin(store, scope, seeds);
    return store;
  }

  private static void begin(KeptStore store, String scope, String... seeds) {
    List<CrawlUrl> urls = List.of(seeds).stream().map(CrawlUrl::of).toList();
    store.begin(new RunTerms(urls, new TreeMap<>(Map.of("scope", scope)), 1000, 1000), NOON);
    if (!scope.equals("any")) {
      store.confine(urls.stream().map(CrawlUrl::domain).toList());
    }
    store.add(seeds(seeds), NOON);
  }

  private static Intake.Taken take(Intake intake, String... urls) {
    return intake.take(seeds(urls), Map.of(), NOON);
  }

  private static AddAnswer offer(Intake intake, String url, Optional<String> source) {
    return intake.offer(seeds(url).getFirst().of(source), "add", NOON);
  }

  private static List<String> claimed(KeptStore store) {
    return store.claim(10, NOON).stream().map(claim -> claim.domain().name()).sorted().toList();
  }

  /** Gives a domain back of which nothing is left. */
  private static void exhaust(KeptStore store, Claim claim) {
    DomainState done = Stores.POLICY.idle(Stores.POLICY.claimed(claim.state(), NOON));
    store.release(claim, done, new Ending.Exhausted(), NOON);
  }

  /** Pages are settled here at one moment, and the domain's state is not told of their starts. */
  List<String> UNPACED = List.of("its last start", "started 0 ms apart");

  @Test
  default void seeds_wait_where_nothing_was_crawled_yet() {
    try (Intake intake = intake()) {
      assertThat(take(intake, "http://a.example/", "http://a.example/", "http://b.example/"))
          .isEqualTo(new Intake.Taken(2, 0, 0));
      assertThat(intake.isBesideCrawl()).isFalse();
    }
    try (KeptStore store = crawl("any")) {
      assertThat(claimed(store)).containsExactly("a.example", "b.example");
    }
    addsUp(List.of());
  }

  @Test
  default void a_crawl_that_may_go_anywhere_claims_domains_it_never_heard_of() {
    try (KeptStore store = crawl("any", "http://a.example/");
        Intake intake = intake()) {
      assertThat(claimed(store)).containsExactly("a.example");
      assertThat(take(intake, "http://b.example/")).isEqualTo(new Intake.Taken(1, 0, 0));
      assertThat(intake.isBesideCrawl()).isTrue();
      assertThat(claimed(store)).containsExactly("b.example");
    }
    addsUp(List.of());
  }

  @Test
  default void a_run_about_other_domains_leaves_them_to_the_next() {
    try (KeptStore store = crawl("seeds", "http://a.example/");
        Intake intake = intake()) {
      assertThat(take(intake, "http://b.example/", "http://a.example/2"))
          .isEqualTo(new Intake.Taken(2, 1, 0));
      assertThat(claimed(store)).containsExactly("a.example");
      assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Others(1, Optional.empty()));
      store.end(RunEnding.FINISHED, NOON);
      begin(store, "any");
      assertThat(claimed(store)).containsExactly("b.example");
    }
    addsUp(List.of());
  }

  @Test
  default void one_that_was_crawled_to_its_end_by_another_run_wakes_up_for_the_next_alone() {
    try (KeptStore store = crawl("seeds", "http://b.example/")) {
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
  default void a_run_that_begins_while_a_file_is_read_is_heeded() {
    try (Intake intake = intake()) {
      take(intake, "http://b.example/");
      try (KeptStore store = crawl("seeds", "http://a.example/")) {
        assertThat(take(intake, "http://c.example/", "http://a.example/2"))
            .isEqualTo(new Intake.Taken(2, 1, 0));
        assertThat(claimed(store)).containsExactly("a.example");
      }
    }
    addsUp(List.of());
  }

  @Test
  default void the_holder_of_a_domain_finds_what_arrived_and_counts_it_in() {
    try (KeptStore store = crawl("seeds", "http://a.example/");
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
  }

  @Test
  default void a_domain_that_is_given_back_between_two_batches_is_woken_by_the_second() {
    try (KeptStore store = crawl("seeds", "http://a.example/");
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

  private static List<QueuedUrl> urls(int from, int to) {
    List<QueuedUrl> urls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      urls.add(QueuedUrl.seed(CrawlUrl.of("http://a.example/" + i), Optional.empty()));
    }
    return urls;
  }

  @Test
  default void a_domain_has_no_more_room_for_two_than_for_one() {
    StoreSettings small = Stores.SETTINGS.with(StoreLimits.DEFAULTS.withMaxUnfinished(10));
    try (KeptStore store = store(small);
        Intake intake = intake(small)) {
      begin(store, "any");
      store.add(urls(0, 4), NOON);
      assertThat(intake.take(urls(4, 9), Map.of(), NOON)).isEqualTo(new Intake.Taken(5, 0, 0));
      assertThat(store.add(urls(9, 15), NOON)).isEqualTo(1);
      assertThat(intake.take(urls(15, 18), Map.of(), NOON)).isEqualTo(new Intake.Taken(0, 0, 3));
    }
    addsUp(List.of());
  }

  @Test
  default void the_better_ranked_of_two_new_domains_is_claimed_first() {
    try (Intake intake = intake()) {
      intake.take(
          seeds("http://a.example/", "http://b.example/"),
          Map.of(new DomainName("a.example"), 900_000L, new DomainName("b.example"), 1L),
          NOON);
    }
    try (KeptStore store = crawl("any")) {
      assertThat(store.claim(1, NOON))
          .extracting(claim -> claim.domain().name())
          .containsExactly("b.example");
    }
  }

  @Test
  default void each_url_has_one_of_four_answers() {
    try (KeptStore store = crawl("any", "http://a.example/");
        Intake intake = intake()) {
      sources().addSource("news", Optional.of(Duration.ofSeconds(10)));
      Optional<String> news = Optional.of("news");
      assertThat(offer(intake, "http://b.example/", news)).isEqualTo(new AddAnswer.Enqueued(false));
      assertThat(offer(intake, "http://b.example/", news)).isEqualTo(new AddAnswer.Duplicate());
      assertThat(store.takeTurn("news", NOON)).isInstanceOf(SourceTurn.TurnTaken.class);
      assertThat(offer(intake, "http://c.example/", news))
          .isEqualTo(new AddAnswer.Deferred(10, Duration.ofSeconds(10), NOON));
      assertThat(offer(intake, "http://d.example/", Optional.of("olds")))
          .isEqualTo(
              new AddAnswer.Refused(
                  "source is olds, but there is none of that name: add it first"));
      assertThat(offer(intake, "http://d.example/", Optional.empty()))
          .isEqualTo(new AddAnswer.Enqueued(false));
      assertThat(claimed(store))
          .containsExactly("a.example", "b.example", "c.example", "d.example");
    }
    addsUp(List.of());
  }

  @Test
  default void a_url_of_another_domain_than_the_run_s_is_said_to_wait_for_the_next() {
    try (KeptStore store = crawl("seeds", "http://a.example/");
        Intake intake = intake()) {
      assertThat(offer(intake, "http://a.example/2", Optional.empty()))
          .isEqualTo(new AddAnswer.Enqueued(false));
      assertThat(offer(intake, "http://b.example/", Optional.empty()))
          .isEqualTo(new AddAnswer.Enqueued(true));
      assertThat(claimed(store)).containsExactly("a.example");
    }
    addsUp(List.of());
  }

  @Test
  default void a_kind_of_address_is_kept_once_and_a_named_seed_stays_named() {
    try (Intake intake = intake()) {
      take(intake, "http://a.example/");
      Authority a = CrawlUrl.of("http://a.example/").authority();
      assertThat(intake.keepAddresses(List.of(new SeedAddress(a, "private", true))))
          .containsExactly(new SeedAddress(a, "private", true));
      assertThat(intake.keepAddresses(List.of(new SeedAddress(a, "public", false))))
          .containsExactly(new SeedAddress(a, "private", true));
      assertThat(intake.state(new DomainName("a.example"))).isPresent();
      assertThat(intake.isPaused(new DomainName("a.example"))).isFalse();
      assertThat(intake.state(new DomainName("b.example"))).isEmpty();
    }
  }
}
