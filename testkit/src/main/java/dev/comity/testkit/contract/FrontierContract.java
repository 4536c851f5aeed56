package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.asked;
import static dev.comity.testkit.contract.Moves.seed;
import static dev.comity.testkit.contract.Moves.unasked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A URL enters once, is handed out in order, and stays until it is finished. */
public interface FrontierContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  @Test
  default void a_url_enters_once() {
    Moves moves = moves();
    List<QueuedUrl> twice = List.of(seed("http://a.example/"), seed("http://a.example/"));
    assertThat(moves.store().add(twice, NOON)).isEqualTo(1);
    assertThat(moves.store().add(twice, NOON)).isZero();
    assertThat(moves.store().add(List.of(), NOON)).isZero();
    assertThat(moves.drain(moves.claimOne())).containsExactly(twice.getFirst());
  }

  @Test
  default void urls_that_differ_in_anything_are_different() {
    List<QueuedUrl> alike =
        List.of(
            seed("http://a.example/"),
            seed("https://a.example/"),
            seed("http://www.a.example/"),
            seed("http://a.example/?"),
            seed("http://a.example/?a"),
            seed("http://a.example/A"),
            seed("http://a.example/a"),
            seed("http://a.example/%2F"));
    long different = alike.stream().map(QueuedUrl::url).distinct().count();
    Moves moves = moves();
    assertThat(moves.store().add(alike, NOON)).isEqualTo((int) different);
    assertThat(moves.drain(moves.claimOne())).hasSize((int) different);
  }

  @Test
  default void a_finished_url_does_not_enter_again() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.settleNext(claim, DONE);
    assertThat(moves.store().add(List.of(entry), NOON)).isZero();
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
  }

  @Test
  default void a_frontier_is_empty_when_nothing_is_queued_deferred_or_in_flight() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    assertThat(moves.store().frontier().isEmpty(claim)).as("queued").isFalse();
    QueuedUrl entry = moves.take(claim);
    assertThat(moves.store().frontier().isEmpty(claim)).as("in flight").isFalse();
    Fate later = new Fate.Retry(NOON.plusSeconds(9), true);
    moves.store().settle(claim, asked(entry, later, claim.state()));
    assertThat(moves.store().frontier().isEmpty(claim)).as("deferred").isFalse();
    assertThat(moves.next(claim)).isEqualTo(new Next.DueAt(NOON.plusSeconds(9)));
    assertThat(moves.store().frontier().isEmpty(claim)).as("deferred still").isFalse();
    Next due = moves.store().frontier().next(claim, NOON.plusSeconds(9));
    QueuedUrl again = ((Next.Ready) due).entry();
    QueuedUrl link = again.link(CrawlUrl.of("http://a.example/1"));
    moves.store().settle(claim, asked(again, DONE, claim.state(), link));
    assertThat(moves.store().frontier().isEmpty(claim)).as("found").isFalse();
    moves.settleNext(claim, DONE);
    assertThat(moves.store().frontier().isEmpty(claim)).as("all done").isTrue();
    moves.seeded("http://a.example/2");
    assertThat(moves.store().frontier().isEmpty(claim)).as("arrived").isFalse();
    // To look takes nothing: what has arrived is still there to be asked.
    assertThat(moves.take(claim).url()).isEqualTo(CrawlUrl.of("http://a.example/2"));
  }

  @Test
  default void with_every_url_in_flight_the_next_is_what_enters_or_comes_back() {
    Moves moves = moves("http://a.example/", "http://a.example/1", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl first = moves.take(claim);
    QueuedUrl second = moves.take(claim);
    moves.take(claim);
    assertThat(moves.next(claim)).as("all in flight").isEqualTo(new Next.Empty());
    QueuedUrl link = first.link(CrawlUrl.of("http://a.example/found"));
    moves.store().settle(claim, asked(first, DONE, claim.state(), link));
    assertThat(moves.take(claim)).as("found").isEqualTo(link);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    moves.seeded("http://a.example/given");
    assertThat(moves.take(claim).url()).isEqualTo(CrawlUrl.of("http://a.example/given"));
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    moves.store().settle(claim, unasked(second, new Fate.Returned()));
    assertThat(moves.take(claim)).as("given back").isEqualTo(second);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    Fate later = new Fate.Retry(NOON.plusSeconds(9), true);
    moves.store().settle(claim, asked(second, later, claim.state()));
    assertThat(moves.next(claim)).isEqualTo(new Next.DueAt(NOON.plusSeconds(9)));
    Next due = moves.store().frontier().next(claim, NOON.plusSeconds(9));
    assertThat(((Next.Ready) due).entry().url()).as("due").isEqualTo(second.url());
  }

  @Test
  default void of_a_large_batch_what_is_known_is_left_out_and_the_rest_enters_in_order() {
    Moves moves = moves();
    List<QueuedUrl> known = batch(0, 2000);
    assertThat(moves.store().add(known, NOON)).isEqualTo(2000);
    // 45 of a hundred are known, and each comes twice.
    List<QueuedUrl> mixed = new ArrayList<>(batch(1100, 3100));
    mixed.addAll(batch(1100, 3100));
    assertThat(moves.store().add(mixed, NOON.plusSeconds(1))).isEqualTo(1100);

    List<Claim> claims = moves.store().claim(100, NOON);
    assertThat(claims).hasSize(40);
    for (Claim claim : claims) {
      int number = Integer.parseInt(claim.domain().name().substring(1, 3));
      List<QueuedUrl> expected = new ArrayList<>();
      for (int url = number - 10; url < 3100; url += 40) {
        expected.addAll(batch(url, url + 1));
      }
      assertThat(moves.drain(claim)).containsExactlyElementsOf(expected);
    }
  }

  /** Spread over forty domains, d10 to d49. */
  private static List<QueuedUrl> batch(int from, int to) {
    List<QueuedUrl> urls = new ArrayList<>();
    for (int number = from; number < to; number++) {
      urls.add(seed("http://d" + (10 + number % 40) + ".example/" + number));
    }
    return urls;
  }

  @Test
  default void a_url_comes_out_as_it_went_in() {
    Moves moves = moves();
    CrawlUrl parent = CrawlUrl.of("https://www.a.example:8443/p?q=1&r=%20x");
    QueuedUrl seed =
        QueuedUrl.seed(parent, Optional.of(CrawlUrl.of("http://www.a.example:8443/p"))).of("feed");
    moves.store().add(List.of(seed), NOON);
    Claim claim = moves.claimOne();
    assertThat(moves.take(claim)).isEqualTo(seed);

    QueuedUrl link = seed.link(CrawlUrl.of("http://b.example/" + "x".repeat(2000)));
    QueuedUrl hop = seed.link(parent).hop(CrawlUrl.of("http://c.example/hop"));
    QueuedUrl sourced =
        seed.hop(CrawlUrl.of("http://d.example/")).hop(CrawlUrl.of("http://d.example/3"));
    moves.store().settle(claim, asked(seed, DONE, claim.state(), link, hop, sourced));
    assertThat(moves.store().claim(3, NOON))
        .extracting(moves::take)
        .containsExactlyInAnyOrder(link, hop, sourced);
  }

  @Test
  default void redirect_targets_come_first_then_the_shallow_then_the_old_and_the_tried_last() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    Optional<CrawlUrl> referrer = Optional.of(entry.url());
    QueuedUrl deep = url("http://a.example/deep", 2, referrer, 0);
    QueuedUrl old = entry.link(CrawlUrl.of("http://a.example/old"));
    QueuedUrl young = entry.link(CrawlUrl.of("http://a.example/young"));
    QueuedUrl deepHop = url("http://a.example/deep-hop", 3, referrer, 2);
    QueuedUrl hop = url("http://a.example/hop", 1, referrer, 1);
    Fate retry = new Fate.Retry(NOON, true);
    moves.store().settle(claim, asked(entry, retry, claim.state(), deep, old, deepHop, hop));
    moves.store().add(List.of(young), NOON);
    assertThat(moves.drain(claim))
        .containsExactly(hop, deepHop, old, young, deep, entry.askedAgain(true));
  }

  private static QueuedUrl url(String url, int depth, Optional<CrawlUrl> referrer, int hops) {
    return new QueuedUrl(
        CrawlUrl.of(url), depth, referrer, hops, 0, 0, Optional.empty(), Optional.empty());
  }

  @Test
  default void among_the_tried_the_same_order_holds() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl hop = seed("http://a.example/0").hop(CrawlUrl.of("http://a.example/3"));
    QueuedUrl first = moves.settleNext(claim, new Fate.Retry(NOON, true), hop);
    moves.settleNext(claim, new Fate.Retry(NOON, false));
    QueuedUrl second = moves.settleNext(claim, new Fate.Retry(NOON, true));
    assertThat(moves.drain(claim))
        .containsExactly(hop.askedAgain(false), first.askedAgain(true), second.askedAgain(true));
  }

  @Test
  default void a_deferred_url_waits_for_its_time() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Instant due = NOON.plusSeconds(90);
    QueuedUrl entry = moves.settleNext(claim, new Fate.Retry(due, false));

    assertThat(moves.store().frontier().next(claim, due.minusMillis(1)))
        .isEqualTo(new Next.DueAt(due));
    moves.stop(claim);
    assertThat(moves.store().claim(1, due.minusMillis(1))).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.At(due));

    Claim again = moves.claimOne(due);
    assertThat(moves.store().frontier().next(again, due))
        .isEqualTo(new Next.Ready(entry.askedAgain(false)));
  }

  @Test
  default void the_first_that_is_due_is_named_and_what_is_ready_does_not_wait_for_it() {
    Moves moves = moves("http://a.example/1", "http://a.example/2", "http://a.example/3");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Retry(NOON.plusSeconds(90), true));
    moves.settleNext(claim, new Fate.Retry(NOON.plusSeconds(30), true));
    assertThat(moves.take(claim)).isEqualTo(seed("http://a.example/3"));
    assertThat(moves.next(claim)).isEqualTo(new Next.DueAt(NOON.plusSeconds(30)));
  }

  @Test
  default void a_domain_with_something_ready_does_not_wait_for_what_is_deferred() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Retry(NOON.plusSeconds(90), true));
    moves.stop(claim);
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://a.example/2"));
  }

  @Test
  default void what_arrives_is_claimed_though_all_else_is_deferred() {
    Moves moves = moves("http://a.example/1");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Retry(NOON.plusSeconds(90), true));
    moves.stop(claim);
    moves.seeded("http://a.example/2");
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://a.example/2"));
  }

  @Test
  default void a_url_that_was_put_off_unasked_keeps_its_place() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl first = moves.take(claim);
    moves.store().settle(claim, unasked(first, new Fate.Retry(NOON.plusSeconds(1), false)));
    assertThat(moves.store().frontier().next(claim, NOON.plusSeconds(1)))
        .isEqualTo(new Next.Ready(first));
  }

  @Test
  default void a_url_that_was_given_back_is_as_if_it_had_never_been_taken() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl first = moves.take(claim);
    moves.store().settle(claim, unasked(first, new Fate.Returned()));
    assertThat(moves.take(claim)).isEqualTo(first);
  }

  @Test
  default void what_was_in_flight_returns_to_its_place_when_the_claim_is_given_back() {
    Moves moves = moves("http://a.example/1", "http://a.example/2", "http://a.example/3");
    Claim first = moves.claimOne();
    List<QueuedUrl> all = moves.drain(first);
    assertThat(moves.next(first)).isEqualTo(new Next.Empty());
    moves.store().settle(first, asked(all.get(1), DONE, first.state()));
    moves.stop(first);
    assertThat(moves.drain(moves.claimOne())).containsExactly(all.get(0), all.get(2));
  }

  @Test
  default void what_is_beyond_a_domains_limit_does_not_enter_and_the_rest_does() {
    Moves moves = Moves.on(store(StoreShape.USUAL.withMostUnfinished(3)));
    List<QueuedUrl> own =
        List.of(
            seed("http://a.example/1"),
            seed("http://a.example/2"),
            seed("http://a.example/3"),
            seed("http://a.example/4"));
    assertThat(moves.store().add(own, NOON)).isEqualTo(3);
    assertThat(moves.store().add(List.of(seed("http://b.example/"), own.get(3)), NOON))
        .isEqualTo(1);
    assertThat(
            moves.drain(
                moves.store().claim(2, NOON).stream()
                    .filter(claim -> claim.domain().name().equals("a.example"))
                    .findFirst()
                    .orElseThrow()))
        .containsExactlyElementsOf(own.subList(0, 3));
  }

  @Test
  default void there_is_room_again_once_a_url_is_finished_and_not_before() {
    Moves moves = Moves.on(store(StoreShape.USUAL.withMostUnfinished(2)));
    moves.seeded("http://a.example/1", "http://a.example/2", "http://a.example/3");
    Claim claim = moves.claimOne();
    QueuedUrl first = moves.take(claim);
    QueuedUrl beyond = seed("http://a.example/3");
    assertThat(moves.store().add(List.of(beyond), NOON)).isZero();
    // Its own place is free for one of the two it leads to.
    moves
        .store()
        .settle(claim, asked(first, DONE, claim.state(), beyond, seed("http://a.example/4")));
    assertThat(moves.drain(claim)).containsExactly(seed("http://a.example/2"), beyond);
  }
}
