package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.asked;
import static dev.comity.testkit.contract.Moves.attempt;
import static dev.comity.testkit.contract.Moves.unasked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Settlements of one domain that are made together are written together. */
public interface GroupContract extends StoreUnderTest {

  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  /** Three URLs of one domain, of which the second is asked again and the third failed. */
  private static List<Settlement> three(Moves moves, Claim claim) {
    QueuedUrl first = moves.take(claim);
    QueuedUrl second = moves.take(claim);
    QueuedUrl third = moves.take(claim);
    DomainState one = POLICY.started(claim.state(), attempt(first, NOON));
    DomainState two = POLICY.startFailed(one, NOON.plusSeconds(1));
    DomainState three = POLICY.startFailed(two, NOON.plusSeconds(2));
    return List.of(
        asked(first, DONE, one, first.link(CrawlUrl.of("http://a.example/x"))),
        asked(
            second, new Fate.Retry(NOON, true), two, second.link(CrawlUrl.of("http://b.example/"))),
        asked(
            third,
            new Fate.Failed(Category.TIMEOUT),
            three,
            third.link(CrawlUrl.of("http://a.example/y")),
            third.link(CrawlUrl.of("http://a.example/x"))));
  }

  private static Claim own(List<Claim> claims) {
    return claims.stream()
        .filter(claim -> claim.domain().name().equals("a.example"))
        .findFirst()
        .orElseThrow();
  }

  private Moves threeSeeds() {
    return moves("http://a.example/1", "http://a.example/2", "http://a.example/3");
  }

  @Test
  default void settlements_made_together_have_their_fates_links_counts_and_the_last_state() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    List<Settlement> group = three(moves, claim);
    assertThat(moves.store().settle(claim, group).elsewhere()).isTrue();

    assertThat(moves.store().state(claim.domain())).contains(group.getLast().state());
    assertThat(moves.drain(claim))
        .extracting(entry -> entry.url().toString())
        .containsExactly("http://a.example/x", "http://a.example/y", "http://a.example/2");
    moves.stop(claim);
    List<Claim> both = moves.store().claim(10, NOON);
    assertThat(both)
        .extracting(one -> one.domain().name())
        .containsExactlyInAnyOrder("a.example", "b.example");
    Claim again = own(both);
    assertThat(again.job().pages()).isEqualTo(1);
    assertThat(again.job().streak().failed()).isEqualTo(1);
    assertThat(moves.store().begin(TERMS, NOON).pages()).isEqualTo(1);
  }

  @Test
  default void the_same_settlements_together_again_change_nothing() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    List<Settlement> group = three(moves, claim);
    moves.store().settle(claim, group);
    QueuedUrl next = moves.take(claim);
    DomainState last = POLICY.startFailed(claim.state(), NOON.plusSeconds(9));
    moves.store().settle(claim, asked(next, DONE, last));
    moves.store().settle(claim, group);
    moves.store().settle(claim, group.subList(0, 1));

    assertThat(moves.store().state(claim.domain())).contains(last);
    assertThat(moves.drain(claim))
        .extracting(QueuedUrl::asked)
        .as("one more link, and the one retry")
        .containsExactly(0, 1);
    moves.stop(claim);
    Claim again = own(moves.store().claim(10, NOON));
    assertThat(again.job().pages()).isEqualTo(2);
    assertThat(again.job().streak().failed()).isZero();
  }

  @Test
  default void of_settlements_made_together_those_made_before_change_nothing() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    List<Settlement> group = three(moves, claim);
    moves.store().settle(claim, group.getFirst());
    moves.store().settle(claim, group);
    moves.store().settle(claim, group);

    assertThat(moves.store().state(claim.domain())).contains(group.getLast().state());
    assertThat(moves.drain(claim)).hasSize(3);
    moves.stop(claim);
    Claim again = own(moves.store().claim(10, NOON));
    assertThat(again.job().pages()).isEqualTo(1);
    assertThat(again.job().streak().failed()).isEqualTo(1);
  }

  @Test
  default void settlements_made_together_under_a_lost_claim_write_nothing() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    List<Settlement> group = three(moves, claim);
    moves.stop(claim);
    assertThatThrownBy(() -> moves.store().settle(claim, group)).isInstanceOf(ClaimLost.class);

    assertThat(moves.store().state(claim.domain())).contains(claim.state());
    Claim again = moves.claimOne();
    assertThat(again.job().pages()).isZero();
    assertThat(again.job().streak().failed()).isZero();
    assertThat(moves.drain(again)).extracting(QueuedUrl::asked).containsExactly(0, 0, 0);
    assertThat(moves.store().claim(10, NOON)).as("links of the group").isEmpty();
    assertThatThrownBy(() -> moves.store().settle(claim, group)).isInstanceOf(ClaimLost.class);
    assertThat(moves.store().begin(TERMS, NOON).pages()).isZero();
  }

  @Test
  default void urls_without_a_request_are_settled_together_with_others() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    QueuedUrl first = moves.take(claim);
    QueuedUrl second = moves.take(claim);
    QueuedUrl third = moves.take(claim);
    moves
        .store()
        .settle(
            claim,
            List.of(
                unasked(first, new Fate.Denied()),
                asked(second, DONE, claim.state()),
                unasked(third, new Fate.Returned())));
    assertThat(moves.drain(claim)).containsExactly(third);
  }

  @Test
  default void urls_that_settlements_finish_make_room_for_all_they_find() {
    Moves moves = Moves.on(store(StoreShape.USUAL.withMostUnfinished(3)));
    moves.seeded("http://a.example/1", "http://a.example/2", "http://a.example/3");
    Claim claim = moves.claimOne();
    List<Settlement> group = new ArrayList<>();
    for (String found : List.of("http://a.example/4", "http://a.example/5")) {
      QueuedUrl entry = moves.take(claim);
      group.add(
          asked(
              entry,
              DONE,
              claim.state(),
              entry.link(CrawlUrl.of(found)),
              entry.link(CrawlUrl.of(found + "x"))));
    }
    moves.store().settle(claim, group);
    assertThat(moves.drain(claim))
        .extracting(entry -> entry.url().toString())
        .containsExactly("http://a.example/3", "http://a.example/4", "http://a.example/4x");
  }

  @Test
  default void the_last_statistics_of_a_template_count() {
    Moves moves = threeSeeds();
    Claim claim = moves.claimOne();
    Traps traps = new Traps(TrapSettings.DEFAULTS, List.of());
    List<Settlement> group = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      QueuedUrl entry = moves.take(claim);
      traps.landed(entry.url(), Optional.empty(), () -> "text", List.of(), List.of(), NOON);
      Settlement plain = asked(entry, DONE, claim.state());
      group.add(
          new Settlement(
              entry,
              plain.attempt(),
              plain.fetched(),
              plain.fate(),
              plain.state(),
              plain.found(),
              plain.page(),
              traps.takeChanged()));
    }
    moves.store().settle(claim, group);
    List<TemplateStats> last = group.getLast().tallies();
    assertThat(last).isNotEmpty();
    assertThat(moves.store().templates(claim.domain())).containsExactlyElementsOf(last);
  }

  @Test
  default void urls_are_taken_while_others_are_settled_and_none_is_taken_twice() throws Exception {
    int many = 200;
    Moves moves = moves();
    List<QueuedUrl> seeds = new ArrayList<>();
    for (int number = 0; number < many; number++) {
      seeds.add(Moves.seed("http://a.example/" + number));
    }
    moves.store().add(seeds, NOON);
    Claim claim = moves.claimOne();
    List<QueuedUrl> taken = new ArrayList<>();
    List<QueuedUrl> due = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writing = threads.submit(() -> {});
      while (moves.next(claim) instanceof Next.Ready(var entry)) {
        taken.add(entry);
        due.add(entry);
        if (writing.isDone()) {
          writing.get();
          List<Settlement> group =
              due.stream().map(one -> asked(one, DONE, claim.state())).toList();
          due.clear();
          CountDownLatch begun = new CountDownLatch(1);
          writing =
              threads.submit(
                  () -> {
                    begun.countDown();
                    moves.store().settle(claim, group);
                  });
          begun.await();
        }
      }
      writing.get();
    }
    moves.store().settle(claim, due.stream().map(one -> asked(one, DONE, claim.state())).toList());
    assertThat(taken).hasSize(many).doesNotHaveDuplicates();
    assertThat(moves.store().frontier().isEmpty(claim)).isTrue();
    assertThat(moves.store().begin(TERMS, NOON).pages()).isEqualTo(many);
  }
}
