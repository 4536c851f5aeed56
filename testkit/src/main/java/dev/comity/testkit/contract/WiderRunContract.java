package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Terms that allow more go on with the run: what narrower terms left out is kept, or asked for. */
public interface WiderRunContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  @Test
  default void wider_terms_go_on_with_the_same_run_be_it_open_or_over() {
    List<RunTerms> wider =
        List.of(
            terms("http://a.example/", "seeds", 10, 5, "2", "a", "b\nc"),
            terms("http://a.example/", "seeds", 11, 5, "2", "a", "b\nc"),
            terms("http://a.example/", "seeds", 11, 6, "2", "a", "b\nc"),
            terms("http://a.example/", "seeds", 11, 6, "3", "a", "b\nc"),
            terms("http://a.example/", "seeds", 11, 6, "3", "a\nz", "b\nc"),
            terms("http://a.example/", "seeds", 11, 6, "3", "", "b\nc"),
            terms("http://a.example/", "seeds", 11, 6, "3", "", "c"),
            terms("http://a.example/", "seeds", 12, 7, "4", "", ""));
    for (RunEnding ending : RunEnding.values()) {
      Moves moves = moves("http://a.example/", "http://a.example/2");
      Run first = moves.store().begin(wider.getFirst(), NOON);
      Claim claim = moves.claimOne();
      moves.settleNext(claim, DONE);
      moves.stop(claim);
      for (RunTerms terms : wider.subList(1, wider.size())) {
        moves.store().end(ending, NOON);
        assertThat(moves.store().begin(terms, NOON))
            .as(ending + " " + terms)
            .isEqualTo(new Run(first.id(), true, 1, 0, Set.of(), OptionalLong.empty()));
      }
      assertThat(moves.claimOne().job().pages()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void a_wider_scope_goes_on_with_the_run_and_asks_known_pages_for_their_links(
      RunEnding ending) {
    Moves moves = Moves.on(store(StoreShape.USUAL));
    Run first = moves.store().begin(terms("http://a.example/", "host", 10, 5), NOON);
    moves.seeded("http://a.example/", "http://a.example/gone", "http://a.example/failed");
    Claim claim = moves.claimOne();
    QueuedUrl page = moves.settleNext(claim, DONE);
    Fate gone = new Fate.Done(Category.CLIENT_ERROR);
    QueuedUrl missing = moves.take(claim);
    moves.store().settle(claim, Moves.answered(missing, gone, new FetchOutcome.ClientError(404)));
    moves.settleNext(claim, new Fate.Failed(Category.TIMEOUT));
    moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), NOON);
    moves.store().end(ending, NOON);

    Run wider = moves.store().begin(terms("http://a.example/", "seeds", 10, 5), NOON);
    assertThat(wider)
        .isEqualTo(new Run(first.id(), true, 2, 0, Set.of(), OptionalLong.empty()).rereading(1));
    // A process that dies now leaves them to the next one, which asks for none anew.
    assertThat(moves.store().begin(terms("http://a.example/", "seeds", 10, 5), NOON).reread())
        .isZero();

    Claim again = moves.claimOne();
    QueuedUrl links = moves.take(again);
    assertThat(links).isEqualTo(page.askedAgain(false).forLinks());
    assertThat(moves.next(again)).isEqualTo(new Next.Empty());
    QueuedUrl found = links.link(CrawlUrl.of("http://b.example/"));
    moves.store().settle(again, Moves.asked(links, DONE, again.state(), found));
    assertThat(moves.next(again)).isEqualTo(new Next.Empty());
    moves.stop(again);
    assertThat(moves.store().begin(terms("http://a.example/", "seeds", 10, 5), NOON).pages())
        .isEqualTo(2);
    assertThat(moves.drain(claimOf(moves, "b.example"))).containsExactly(found);
  }

  private static Claim claimOf(Moves moves, String domain) {
    return moves.store().claim(9, NOON).stream()
        .filter(claim -> claim.domain().name().equals(domain))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"host,domain", "host,seeds", "host,any", "domain,seeds", "domain,any", "seeds,any"})
  default void each_scope_is_wider_than_those_before_it(String narrow, String wide) {
    Moves moves = moves();
    Run first = moves.store().begin(terms("http://a.example/", narrow, 10, 5), NOON);
    Run second = moves.store().begin(terms("http://a.example/", wide, 10, 5), NOON);
    Run third = moves.store().begin(terms("http://a.example/", narrow, 10, 5), NOON);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(third).isEqualTo(Run.begun(third.id(), OptionalLong.of(first.id())));
  }

  @Test
  default void a_known_page_that_is_asked_for_its_links_stays_one_whatever_the_answer() {
    List<Fate> fates =
        List.of(
            new Fate.Retry(NOON, true),
            DONE,
            new Fate.Failed(Category.SERVER_ERROR),
            new Fate.Skipped(),
            new Fate.Done(Category.CLIENT_ERROR),
            new Fate.Denied());
    Moves moves = moves("http://a.example/");
    moves.store().begin(terms("http://a.example/", "host", 10, 5), NOON);
    Claim first = moves.claimOne();
    moves.settleNext(first, DONE);
    moves.stop(first);
    List<String> reaches = List.of("domain", "seeds", "any");
    int asked = 1;
    for (Fate fate : fates) {
      for (String reach : reaches) {
        Run run = moves.store().begin(terms("http://a.example/", reach, 10, 5), NOON);
        assertThat(run.reread()).as(fate + " " + reach).isEqualTo(1);
        Claim claim = moves.claimOne();
        QueuedUrl links = moves.take(claim);
        assertThat(links.asked()).isEqualTo(asked);
        moves.store().settle(claim, Moves.asked(links, fate, claim.state()));
        asked++;
        if (fate instanceof Fate.Retry) {
          QueuedUrl retried = moves.settleNext(claim, DONE);
          assertThat(retried).isEqualTo(links.askedAgain(true));
          asked++;
        }
        assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
        moves.stop(claim);
      }
      moves.store().begin(terms("http://a.example/", "host", 10, 5), NOON);
    }
  }

  @Test
  default void a_wider_scope_opens_no_domain_whose_job_failed() {
    Moves moves = moves("http://a.example/");
    moves.store().begin(terms("http://a.example/", "host", 10, 5), NOON);
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.release(claim, new Ending.JobFailed("nothing works"));
    moves.store().begin(terms("http://a.example/", "seeds", 10, 5), NOON);
    assertThat(moves.store().claim(1, NOON)).isEmpty();
  }

  @Test
  default void a_run_that_is_to_begin_anew_does_although_its_terms_are_wider() {
    Moves moves = moves();
    Run first = moves.store().begin(terms("http://a.example/", "seeds", 10, 5), NOON);
    Run second = moves.store().begin(terms("http://a.example/", "seeds", 11, 5).anew(), NOON);
    assertThat(second).isEqualTo(Run.begun(second.id(), OptionalLong.of(first.id())));
  }

  @Test
  default void wider_terms_open_a_domain_whose_pages_were_spent_but_none_whose_job_failed() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    moves.store().begin(terms("http://a.example/", "seeds", 10, 1), NOON);
    Claim spent = moves.claimOne();
    moves.release(spent, new Ending.DomainOutOfBudget());
    moves.release(moves.claimOne(), new Ending.JobFailed("nothing works"));
    moves.store().end(RunEnding.FINISHED, NOON);
    moves.store().begin(terms("http://a.example/", "seeds", 10, 2), NOON);
    assertThat(moves.store().claim(2, NOON))
        .extracting(Claim::domain)
        .containsExactly(spent.domain());
  }

  @Test
  default void what_is_kept_outside_enters_when_it_is_in_scope_and_is_not_taken_for_known() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    Claim claim = moves.claimOne();
    QueuedUrl seed = moves.take(claim);
    CrawlUrl[] found = new CrawlUrl[4];
    for (int number = 0; number < found.length; number++) {
      found[number] = CrawlUrl.of(seed.url() + String.valueOf(number));
    }
    QueuedUrl middle = seed.link(found[0]);
    moves.store().settle(claim, Moves.asked(seed, DONE, claim.state(), middle));
    assertThat(moves.take(claim)).isEqualTo(middle);
    moves
        .store()
        .keepOutside(
            claim,
            List.of(
                middle.link(found[1]),
                middle.link(found[2]),
                seed.link(found[2]),
                seed.link(found[3])));
    moves.store().settle(claim, Moves.asked(middle, DONE, claim.state(), seed.link(found[3])));
    // Found again, and followed this time.
    assertThat(moves.settleNext(claim, DONE).url()).isEqualTo(found[3]);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    moves.stop(claim);
    assertThat(moves.store().takeOutside(_ -> false, _ -> true, NOON)).isZero();
    assertThat(moves.store().takeOutside(_ -> true, _ -> false, NOON)).isZero();
    assertThat(moves.store().takeOutside(_ -> true, kept -> kept.depth() == 1, NOON)).isEqualTo(1);
    assertThat(moves.store().takeOutside(_ -> true, _ -> true, NOON)).isEqualTo(1);
    assertThat(moves.store().takeOutside(_ -> true, _ -> true, NOON)).isZero();
    Claim again =
        moves.store().claim(2, NOON).stream()
            .filter(one -> one.domain().equals(claim.domain()))
            .findFirst()
            .orElseThrow();
    assertThat(moves.drain(again)).containsExactly(seed.link(found[2]), middle.link(found[1]));
  }

  @Test
  default void who_has_lost_a_claim_keeps_nothing_outside() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl seed = moves.take(claim);
    moves.stop(claim);
    assertThatThrownBy(
            () ->
                moves
                    .store()
                    .keepOutside(claim, List.of(seed.link(CrawlUrl.of("http://a.example/1")))))
        .isInstanceOf(ClaimLost.class);
  }
}
