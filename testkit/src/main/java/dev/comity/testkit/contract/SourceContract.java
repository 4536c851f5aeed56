package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.source.SourceOperations.SourceRecord;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.SourcePace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Sources: one pace over all their domains, and what becomes of a URL that is added on its own. */
public interface SourceContract extends StoreUnderTest {
  /** What operators do with the sources of a store that this test made. */
  SourceOperations sources(CrawlStore store);

  /**
   * A store with a source named news, of this interval.
   *
   * @param store its clock shows what its caller's shows
   * @param bare the same store as the test made it
   */
  record Newsroom(CrawlStore store, CrawlStore bare, SourceOperations sources) {
    AddAnswer add(String url, Instant now) {
      return store.offer(seed(url).of("news"), now);
    }

    void start(Instant now) {
      assertThat(store.takeTurn("news", now)).isInstanceOf(SourceTurn.TurnTaken.class);
    }

    Moves moves() {
      return new Moves(store);
    }

    /** The next URL, passing over sources without a turn. */
    Next next(Claim claim, Instant now) {
      return store
          .frontier()
          .next(claim, now, Wanted.ANY, (source, at) -> store.pace(source).dueAfter(at));
    }
  }

  private Newsroom newsroom(Optional<Duration> interval) {
    SettableClock clock = new SettableClock(NOON);
    CrawlStore bare = store(StoreShape.USUAL, clock);
    SourceOperations sources = sources(bare);
    assertThat(sources.addSource("news", interval)).isTrue();
    return new Newsroom(new DrivenStore(bare, clock), bare, sources);
  }

  private Newsroom newsroom(double seconds) {
    return newsroom(Optional.of(Duration.ofMillis(Math.round(seconds * 1000))));
  }

  // The six cases of the enqueuer.

  @Test
  default void allows_when_no_prior_start_exists() {
    assertThat(newsroom(10).add("http://a.example/", NOON))
        .isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  default void allows_when_elapsed_is_longer_than_the_interval() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    assertThat(room.add("http://a.example/", NOON.plusSeconds(10)))
        .isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  default void returns_deferred_with_the_right_wait_seconds() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    assertThat(room.add("http://a.example/", NOON.plusMillis(3001)))
        .isEqualTo(new AddAnswer.Deferred(7, Duration.ofSeconds(10), NOON));
    assertThat(room.add("http://b.example/", NOON.plusMillis(3000)))
        .isEqualTo(new AddAnswer.Deferred(7, Duration.ofSeconds(10), NOON));
    assertThat(room.add("http://c.example/", NOON.plusMillis(9999)))
        .isEqualTo(new AddAnswer.Deferred(1, Duration.ofSeconds(10), NOON));
  }

  @Test
  default void a_source_s_interval_overrides_the_global_one() {
    Newsroom global = newsroom(Optional.empty());
    global.start(NOON);
    assertThat(global.add("http://a.example/", NOON.plusMillis(500)))
        .isEqualTo(new AddAnswer.Deferred(1, Duration.ofSeconds(1), NOON));
    assertThat(global.add("http://b.example/", NOON.plusSeconds(1)))
        .isEqualTo(new AddAnswer.Enqueued(false));
    Newsroom own = newsroom(0.25);
    own.start(NOON);
    assertThat(own.add("http://a.example/", NOON.plusMillis(249)))
        .isEqualTo(new AddAnswer.Deferred(1, Duration.ofMillis(250), NOON));
    assertThat(own.add("http://b.example/", NOON.plusMillis(250)))
        .isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  default void an_interval_of_zero_disables_the_limit() {
    Newsroom room = newsroom(0);
    room.start(NOON);
    room.start(NOON);
    assertThat(room.add("http://a.example/", NOON)).isEqualTo(new AddAnswer.Enqueued(false));
    assertThat(room.store().pace("news").dueAfter(NOON)).isEmpty();
  }

  @Test
  default void a_deferred_url_is_queued_and_comes_when_its_wait_is_over() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    room.add("http://a.example/", NOON.plusSeconds(3));
    Claim claim = room.moves().claimOne();
    assertThat(room.next(claim, NOON.plusSeconds(4)))
        .isEqualTo(new Next.DueAt(NOON.plusSeconds(10), Optional.of("news")));
    assertThat(room.store().frontier().isEmpty(claim)).isFalse();
    assertThat(room.next(claim, NOON.plusSeconds(10)))
        .isEqualTo(new Next.Ready(seed("http://a.example/").of("news")));
  }

  // The three cases of the job.

  @Test
  default void a_request_is_made_when_its_source_is_not_limited() {
    Newsroom room = newsroom(10);
    assertThat(room.store().takeTurn("news", NOON))
        .isEqualTo(
            new SourceTurn.TurnTaken(
                new SourcePace(Optional.of(Duration.ofSeconds(10)), Optional.of(NOON))));
    assertThat(room.store().lastStartOfSource("news")).contains(NOON);
  }

  @Test
  default void a_request_of_a_limited_source_is_put_off_by_the_rest_of_the_interval() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    assertThat(room.store().takeTurn("news", NOON.plusSeconds(4)))
        .isEqualTo(new SourceTurn.NotBefore(NOON.plusSeconds(10)));
    assertThat(room.store().lastStartOfSource("news")).contains(NOON);
    room.start(NOON.plusSeconds(10));
  }

  @Test
  default void a_deferral_clears_the_state_in_flight() {
    Newsroom room = newsroom(10);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    QueuedUrl entry = room.moves().take(claim);
    room.start(NOON);
    room.store().settle(claim, Moves.unasked(entry, new Fate.Returned()));
    assertThat(room.next(claim, NOON.plusSeconds(1)))
        .isEqualTo(new Next.DueAt(NOON.plusSeconds(10), Optional.of("news")));
    assertThat(room.next(claim, NOON.plusSeconds(10))).isEqualTo(new Next.Ready(entry));
  }

  // One pace, whichever domain and worker.

  @Test
  default void of_two_workers_that_ask_at_once_one_gets_the_turn() {
    Newsroom room = newsroom(10);
    CrawlStore other = another(room.bare(), "other");
    assertThat(room.store().takeTurn("news", NOON)).isInstanceOf(SourceTurn.TurnTaken.class);
    assertThat(other.takeTurn("news", NOON))
        .isEqualTo(new SourceTurn.NotBefore(NOON.plusSeconds(10)));
    assertThat(other.pace("news").lastStart()).contains(NOON);
  }

  @Test
  default void other_urls_of_the_domain_do_not_wait_for_the_source() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    for (int page = 0; page < 100; page++) {
      room.add("http://a.example/" + page, NOON);
    }
    room.moves().seeded("http://a.example/other");
    Claim claim = room.moves().claimOne();
    assertThat(room.next(claim, NOON)).isEqualTo(new Next.Ready(seed("http://a.example/other")));
    assertThat(room.next(claim, NOON))
        .isEqualTo(new Next.DueAt(NOON.plusSeconds(10), Optional.of("news")));
    room.moves().seeded("http://a.example/late");
    assertThat(room.next(claim, NOON)).isEqualTo(new Next.Ready(seed("http://a.example/late")));
  }

  @Test
  default void a_domain_released_for_its_sources_is_claimed_when_one_has_a_turn() {
    Newsroom room = newsroom(3600);
    room.start(NOON);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    Instant due = NOON.plusSeconds(3600);
    room.moves().release(claim, new Ending.DueLater(due, "a source"));
    assertThat(room.store().claim(1, NOON)).isEmpty();
    assertThat(room.store().outlook(NOON)).isEqualTo(new Outlook.At(due));
  }

  @Test
  default void a_url_that_arrives_need_not_wait_for_the_sources_of_its_domain() {
    Newsroom room = newsroom(3600);
    room.start(NOON);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    room.moves().release(claim, new Ending.DueLater(NOON.plusSeconds(3600), "a source"));
    room.moves().seeded("http://a.example/other");
    assertThat(room.next(room.moves().claimOne(), NOON))
        .isEqualTo(new Next.Ready(seed("http://a.example/other")));
  }

  @Test
  default void a_url_that_arrived_before_the_release_need_not_wait_either() {
    Newsroom room = newsroom(3600);
    room.start(NOON);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    room.moves().seeded("http://a.example/other");
    room.moves().release(claim, new Ending.DueLater(NOON.plusSeconds(3600), "a source"));
    assertThat(room.next(room.moves().claimOne(), NOON))
        .isEqualTo(new Next.Ready(seed("http://a.example/other")));
  }

  @Test
  default void a_shorter_interval_lets_released_domains_go_on() {
    Newsroom room = newsroom(3600);
    room.start(NOON);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    room.moves().release(claim, new Ending.DueLater(NOON.plusSeconds(3600), "a source"));
    assertThat(room.sources().setInterval("news", Optional.of(Duration.ZERO)))
        .map(SourceRecord::interval)
        .contains(Optional.of(Duration.ofHours(1)));
    assertThat(room.next(room.moves().claimOne(), NOON)).isInstanceOf(Next.Ready.class);
  }

  @Test
  default void a_start_of_a_clock_that_was_wrong_costs_one_interval() {
    Newsroom room = newsroom(10);
    room.start(NOON.plus(Duration.ofDays(400)));
    assertThat(room.store().takeTurn("news", NOON))
        .isEqualTo(new SourceTurn.NotBefore(NOON.plusSeconds(10)));
    room.start(NOON.plusSeconds(10));
  }

  @Test
  default void a_logged_start_counts_as_the_source_s_last_start() {
    Newsroom room = newsroom(10);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    room.moves().settleNext(claim, Moves.DONE);
    assertThat(room.store().pace("news").lastStart()).contains(NOON);
    assertThat(room.store().takeTurn("news", NOON.plusSeconds(9)))
        .isEqualTo(new SourceTurn.NotBefore(NOON.plusSeconds(10)));
  }

  // The other answers.

  @Test
  default void a_known_url_is_a_duplicate_and_gets_the_source_if_it_has_none() {
    Newsroom room = newsroom(10);
    room.moves().seeded("http://a.example/");
    assertThat(room.add("http://a.example/", NOON)).isEqualTo(new AddAnswer.Duplicate());
    assertThat(room.add("http://a.example/", NOON)).isEqualTo(new AddAnswer.Duplicate());
    assertThat(room.sources().sources())
        .containsExactly(
            new SourceRecord("news", Optional.of(Duration.ofSeconds(10)), Optional.empty(), 1, 1));
    assertThat(room.moves().take(room.moves().claimOne()))
        .isEqualTo(seed("http://a.example/").of("news"));
  }

  @Test
  default void a_url_of_an_unknown_source_is_refused_and_not_stored() {
    Newsroom room = newsroom(10);
    AddAnswer answer = room.store().offer(seed("http://a.example/").of("olds"), NOON);
    assertThat(answer).isInstanceOf(AddAnswer.Refused.class);
    assertThat(room.store().claim(1, NOON)).isEmpty();
    assertThat(room.sources().sources()).extracting(SourceRecord::name).containsExactly("news");
  }

  @Test
  default void a_url_without_room_is_refused() {
    CrawlStore store = store(StoreShape.USUAL.withMostUnfinished(1), new SettableClock(NOON));
    assertThat(store.offer(seed("http://a.example/"), NOON))
        .isEqualTo(new AddAnswer.Enqueued(false));
    assertThat(store.offer(seed("http://a.example/2"), NOON)).isInstanceOf(AddAnswer.Refused.class);
  }

  @Test
  default void a_url_of_a_closed_domain_is_refused() {
    Newsroom room = newsroom(10);
    room.moves().seeded("http://a.example/");
    Claim claim = room.moves().claimOne();
    room.store()
        .release(
            claim,
            Moves.failing(Moves.POLICY.claimed(claim.state(), NOON), 5, NOON),
            new Ending.Stopped(),
            NOON);
    assertThat(room.add("http://a.example/2", NOON)).isInstanceOf(AddAnswer.Refused.class);
  }

  @Test
  default void an_unknown_source_has_no_pace() {
    Newsroom room = newsroom(10);
    assertThat(room.store().pace("olds")).isEqualTo(SourcePace.FREE);
    assertThat(room.store().takeTurn("olds", NOON)).isInstanceOf(SourceTurn.TurnTaken.class);
    assertThat(room.store().lastStartOfSource("olds")).isEmpty();
  }

  // Operators.

  @Test
  default void a_source_is_added_once_and_stays_as_it_is() {
    Newsroom room = newsroom(10);
    assertThat(room.sources().addSource("news", Optional.empty())).isFalse();
    assertThat(room.sources().addSource("blogs", Optional.empty())).isTrue();
    assertThat(room.sources().sources())
        .containsExactly(
            new SourceRecord("blogs", Optional.empty(), Optional.empty(), 0, 0),
            new SourceRecord("news", Optional.of(Duration.ofSeconds(10)), Optional.empty(), 0, 0));
    assertThat(room.sources().setInterval("olds", Optional.empty())).isEmpty();
  }

  @Test
  default void a_finished_url_stays_one_of_its_source() {
    Newsroom room = newsroom(10);
    room.add("http://a.example/", NOON);
    room.add("http://a.example/2", NOON);
    room.moves().settleNext(room.moves().claimOne(), Moves.DONE);
    SourceRecord news = room.sources().sources().getFirst();
    assertThat(List.of(news.urls(), news.unfinished())).containsExactly(2L, 1L);
    assertThat(news.lastStart()).contains(NOON);
  }

  @Test
  default void urls_of_a_removed_source_stay_without_a_source() {
    Newsroom room = newsroom(10);
    room.start(NOON);
    room.add("http://a.example/", NOON);
    room.add("http://b.example/", NOON);
    assertThat(room.sources().removeSource("news")).isEqualTo(OptionalLong.of(2));
    assertThat(room.sources().removeSource("news")).isEmpty();
    assertThat(room.sources().sources()).isEmpty();
    assertThat(room.next(room.moves().claimOne(), NOON))
        .isEqualTo(new Next.Ready(seed("http://a.example/")));
  }

  @Test
  default void a_source_that_is_removed_while_a_url_is_in_flight_is_gone_after_its_answer() {
    Newsroom room = newsroom(10);
    room.add("http://a.example/", NOON);
    Claim claim = room.moves().claimOne();
    QueuedUrl entry = room.moves().take(claim);
    room.sources().removeSource("news");
    room.store().settle(claim, Moves.asked(entry, Moves.DONE, claim.state()));
    assertThat(room.sources().sources()).isEmpty();
    assertThat(room.store().lastStartOfSource("news")).isEmpty();
  }
}
