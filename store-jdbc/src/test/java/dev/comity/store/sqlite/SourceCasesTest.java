package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.Signal;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.DirectorySources;
import dev.comity.store.operate.Pruning;
import dev.comity.store.support.ReadyTables;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nine cases of a source's interval, by a real clock and across a restart of the store. */
class SourceCasesTest {
  @TempDir private Path home;
  private final SystemTimeline time = new SystemTimeline();
  private DataDirectory directory;
  private SqliteStore store;

  @BeforeEach
  void open() {
    directory = ReadyTables.in(home.resolve("data"));
    store = opened();
  }

  private SqliteStore opened() {
    return SqliteStore.open(
        directory,
        StoreSettings.of(
            new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, InstantSource.system()));
  }

  private void restart() {
    store.close();
    store = opened();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private DirectorySources sources() {
    return new DirectorySources(directory, "a test", InstantSource.system());
  }

  private void source(Optional<Duration> interval) {
    assertThat(sources().addSource("news", interval)).isTrue();
  }

  private void source(long millis) {
    source(Optional.of(Duration.ofMillis(millis)));
  }

  private static QueuedUrl url(String text) {
    return QueuedUrl.seed(CrawlUrl.of(text), Optional.empty()).of("news");
  }

  private AddAnswer add(String text) {
    return store.offer(url(text), Instant.now());
  }

  private Instant start() {
    Instant now = Instant.now();
    assertThat(store.takeTurn("news", now)).isInstanceOf(SourceTurn.TurnTaken.class);
    return now;
  }

  private Next next(Claim claim) {
    return store
        .frontier()
        .next(claim, Instant.now(), Wanted.ANY, (source, now) -> store.pace(source).dueAfter(now));
  }

  private Claim claim() {
    List<Claim> claims = store.claim(1, Instant.now());
    assertThat(claims).hasSize(1);
    return claims.getFirst();
  }

  @Test
  void enqueuer_1_allows_scrape_when_no_prior_scrape_exists() {
    source(60_000);
    restart();
    assertThat(add("http://a.example/")).isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  void enqueuer_2_allows_scrape_when_elapsed_is_longer_than_the_interval() throws Exception {
    source(50);
    Instant started = start();
    restart();
    time.await(new Signal(), started.plusMillis(60));
    assertThat(add("http://a.example/")).isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  void enqueuer_3_returns_deferred_with_the_correct_wait_seconds() {
    source(60_000);
    Instant started = start();
    restart();
    AddAnswer.Deferred deferred = (AddAnswer.Deferred) add("http://a.example/");
    long elapsed = Duration.between(started, Instant.now()).toSeconds();
    assertThat(deferred.waitSeconds()).isBetween(60 - elapsed - 1, 60L);
    assertThat(deferred.interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(deferred.lastStart()).isBetween(started, started.plusMillis(1));
  }

  @Test
  void enqueuer_4_per_source_interval_overrides_the_global_one() {
    source(Optional.empty());
    start();
    restart();
    assertThat(store.pace("news").interval()).contains(Duration.ofSeconds(1));
    sources().setInterval("news", Optional.of(Duration.ofHours(1)));
    assertThat(add("http://a.example/"))
        .isInstanceOfSatisfying(
            AddAnswer.Deferred.class,
            deferred -> assertThat(deferred.interval()).isEqualTo(Duration.ofHours(1)));
  }

  @Test
  void enqueuer_5_a_zero_interval_disables_time_rate_limiting() {
    source(0);
    start();
    restart();
    start();
    assertThat(add("http://a.example/")).isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  void enqueuer_6_a_deferred_url_is_enqueued_again_with_a_delay() throws Exception {
    source(1_000);
    Instant started = start();
    AddAnswer answer = add("http://a.example/");
    assertThat(answer).isInstanceOf(AddAnswer.Deferred.class);
    restart();
    Claim claim = claim();
    for (Next next = next(claim); ; next = next(claim)) {
      if (next instanceof Next.Ready(var entry)) {
        assertThat(entry).isEqualTo(url("http://a.example/"));
        break;
      }
      assertThat(next).isInstanceOf(Next.DueAt.class);
      time.await(new Signal(), ((Next.DueAt) next).at());
    }
    assertThat(Instant.now()).isAfterOrEqualTo(started.plusSeconds(1));
  }

  @Test
  void job_1_performs_scrape_when_not_rate_limited() {
    source(60_000);
    add("http://a.example/");
    restart();
    assertThat(next(claim())).isEqualTo(new Next.Ready(url("http://a.example/")));
    start();
  }

  @Test
  void job_2_is_enqueued_again_with_a_delay_when_rate_limited() {
    source(60_000);
    Instant started = start();
    restart();
    assertThat(store.takeTurn("news", Instant.now()))
        .isInstanceOfSatisfying(
            SourceTurn.NotBefore.class,
            later ->
                assertThat(later.due())
                    .isBetween(started.plusSeconds(60), started.plusSeconds(60).plusMillis(1)));
  }

  @Test
  void job_3_clears_the_state_in_flight_on_deferral() {
    source(60_000);
    add("http://a.example/");
    Claim claim = claim();
    Next.Ready taken = (Next.Ready) next(claim);
    start();
    store.settle(
        claim, Settlement.unasked(taken.entry(), new Fate.Returned(), claim.state(), List.of()));
    assertThat(next(claim)).isInstanceOf(Next.DueAt.class);
    restart();
    Claim again = claim();
    assertThat(next(again)).isInstanceOf(Next.DueAt.class);
    assertThat(store.frontier().isEmpty(again)).isFalse();
  }

  @Test
  void pruning_the_log_keeps_the_last_start() {
    source(60_000);
    add("http://a.example/1");
    add("http://a.example/2");
    Stores.begun(store);
    Claim claim = claim();
    for (int page = 0; page < 2; page++) {
      Next.Ready taken = (Next.Ready) store.frontier().next(claim, Instant.now());
      store.settle(claim, Stores.page(taken.entry(), claim));
    }
    Optional<Instant> last = store.lastStartOfSource("news");
    assertThat(last).contains(Stores.NOON);
    restart();
    try (Pruning pruning = new Pruning(directory, Instant.now().plusSeconds(60), false)) {
      assertThat(pruning.log()).isEqualTo(1);
    }
    restart();
    assertThat(store.lastStartOfSource("news")).isEqualTo(last);
  }
}
