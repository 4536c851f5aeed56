package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.unasked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A run outlives the processes that work on it, until it is over or another one is wanted. */
public interface RunContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  private static RunTerms terms(String seed, String scope, long pages, long pagesPerDomain) {
    return terms(seed, scope, pages, pagesPerDomain, "5", "", "");
  }

  private static RunTerms terms(
      String seed,
      String scope,
      long pages,
      long pagesPerDomain,
      String depth,
      String include,
      String exclude) {
    SortedMap<String, String> settings = new TreeMap<>(Map.of(Scope.REACH, scope));
    settings.put(Scope.DEPTH, depth);
    settings.put(Scope.INCLUDE, include);
    settings.put(Scope.EXCLUDE, exclude);
    return new RunTerms(List.of(CrawlUrl.of(seed)), settings, pages, pagesPerDomain);
  }

  @Test
  default void the_first_run_is_new_and_closes_none() {
    Run run = store(StoreShape.USUAL).begin(TERMS, NOON);
    assertThat(run.continued()).isFalse();
    assertThat(run.pages()).isZero();
    assertThat(run.superseded()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"STOPPED", "PARKED"})
  default void a_run_that_was_left_goes_on_with_its_pages_and_its_jobs(RunEnding ending) {
    Moves moves = moves("http://a.example/", "http://a.example/2", "http://a.example/3");
    Run first = moves.store().begin(TERMS, NOON);
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.settleNext(claim, new Fate.Failed(Category.TIMEOUT));
    moves.stop(claim);
    moves.store().end(ending, NOON);
    assertThat(moves.store().begin(TERMS, NOON))
        .isEqualTo(new Run(first.id(), true, 1, 0, Set.of(), OptionalLong.empty()));
    assertThat(moves.claimOne().job()).isEqualTo(new JobProgress(1, 0, new JobStreak(1)));
  }

  @Test
  default void a_run_whose_process_never_said_goodbye_goes_on() {
    Moves moves = moves("http://a.example/");
    Run first = moves.store().begin(TERMS, NOON);
    moves.settleNext(moves.claimOne(), DONE);
    assertThat(moves.store().begin(TERMS, NOON.plusSeconds(60)))
        .isEqualTo(new Run(first.id(), true, 1, 0, Set.of(), OptionalLong.empty()));
  }

  @ParameterizedTest
  @EnumSource(names = {"FINISHED", "OUT_OF_BUDGET"})
  default void a_run_that_is_over_begins_anew(RunEnding ending) {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Run first = moves.store().begin(TERMS, NOON);
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.settleNext(claim, DONE);
    moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), NOON);
    assertThat(moves.store().end(ending, NOON)).isTrue();
    assertThat(moves.store().end(ending, NOON)).isTrue();
    Run second = moves.store().begin(TERMS, NOON);
    assertThat(second).isEqualTo(Run.begun(second.id(), OptionalLong.empty()));
    assertThat(second.id()).isNotEqualTo(first.id());
    moves.seeded("http://a.example/3");
    assertThat(moves.claimOne().job()).isEqualTo(JobProgress.NONE);
  }

  @Test
  default void any_other_term_opens_another_run_and_closes_the_one_before() {
    List<RunTerms> different =
        List.of(
            terms("http://a.example/", "seeds", 100, 10),
            terms("http://b.example/", "seeds", 100, 10),
            terms("http://a.example/", "any", 100, 10),
            // Closed when the second came, so it does not go on.
            terms("http://a.example/", "seeds", 100, 10),
            terms("http://a.example/", "seeds", 99, 10),
            terms("http://a.example/", "seeds", 99, 9),
            terms("http://a.example/", "seeds", 100, 8),
            terms("http://a.example/", "seeds", 100, 9, "4", "", ""),
            terms("http://a.example/", "seeds", 100, 9, "4", "a", ""),
            terms("http://a.example/", "seeds", 100, 9, "4", "b\nc", ""),
            terms("http://a.example/", "seeds", 100, 9, "4", "c", ""),
            terms("http://a.example/", "seeds", 100, 9, "4", "c", "d"),
            terms("http://a.example/", "seeds", 100, 9, "4", "c", "e"));
    Moves moves = moves();
    Run before = moves.store().begin(TERMS, NOON);
    for (RunTerms terms : different) {
      Run run = moves.store().begin(terms, NOON);
      assertThat(run)
          .as(terms.toString())
          .isEqualTo(Run.begun(run.id(), OptionalLong.of(before.id())));
      assertThat(run.id()).isNotEqualTo(before.id());
      before = run;
    }
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

  @Test
  default void frontiers_and_what_is_known_belong_to_no_run() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.stop(claim);
    moves.store().begin(terms("http://a.example/", "any", 7, 7), NOON);
    moves.seeded("http://a.example/", "http://a.example/3");
    assertThat(moves.drain(moves.claimOne()))
        .extracting(entry -> entry.url().toString())
        .containsExactly("http://a.example/2", "http://a.example/3");
  }

  @Test
  default void a_continued_run_knows_the_domains_that_its_seeds_redirects_ended_on() {
    Moves moves = moves().seeded("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl seed = moves.take(claim);
    CrawlUrl elsewhere = CrawlUrl.of("http://b.example/");
    FetchOutcome moved = new FetchOutcome.Redirect(301, Optional.of(elsewhere));
    Fate redirect = new Fate.Done(Category.REDIRECT);
    moves.store().settle(claim, Moves.answered(seed, redirect, moved, seed.hop(elsewhere)));
    assertThat(moves.store().begin(TERMS, NOON).starts()).isEmpty();
    Claim there = moves.claimOne();
    QueuedUrl end = moves.take(there);
    assertThat(end.isMovedStart()).isTrue();
    moves.store().settle(there, Moves.asked(end, DONE, there.state()));
    assertThat(moves.store().begin(TERMS, NOON).starts()).containsExactly(there.domain());
    assertThat(moves.store().begin(terms("http://a.example/", "any", 7, 7), NOON).starts())
        .isEmpty();
  }

  @Test
  default void a_redirect_within_a_domain_makes_it_no_other_start() {
    Moves moves = moves().seeded("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl seed = moves.take(claim);
    CrawlUrl home = CrawlUrl.of("http://a.example/home");
    FetchOutcome moved = new FetchOutcome.Redirect(301, Optional.of(home));
    moves
        .store()
        .settle(
            claim, Moves.answered(seed, new Fate.Done(Category.REDIRECT), moved, seed.hop(home)));
    moves.store().settle(claim, Moves.asked(moves.take(claim), DONE, claim.state()));
    assertThat(moves.store().begin(TERMS, NOON).starts()).isEmpty();
  }

  @Test
  default void pages_and_failures_of_a_job_are_counted_over_its_claims() {
    Moves moves = moves();
    for (int page = 0; page < 9; page++) {
      moves.seeded("http://a.example/" + page);
    }
    assertThat(progressAfter(moves, new Fate.Done(Category.CLIENT_ERROR))).isEqualTo(job(1, 0));
    assertThat(progressAfter(moves, new Fate.Failed(Category.TIMEOUT))).isEqualTo(job(1, 1));
    assertThat(progressAfter(moves, new Fate.Failed(Category.SERVER_ERROR))).isEqualTo(job(1, 2));
    Claim claim = moves.claimOne();
    moves.store().settle(claim, unasked(moves.take(claim), new Fate.Denied()));
    moves.stop(claim);
    assertThat(progressAfter(moves, new Fate.Retry(NOON, true))).isEqualTo(job(1, 2));
    assertThat(progressAfter(moves, new Fate.Done(Category.REDIRECT))).isEqualTo(job(2, 0));
    assertThat(moves.store().begin(TERMS, NOON).pages()).isEqualTo(2);
  }

  private static JobProgress job(long pages, int failed) {
    return new JobProgress(pages, 0, new JobStreak(failed));
  }

  private static JobProgress progressAfter(Moves moves, Fate fate) {
    Claim claim = moves.claimOne();
    moves.settleNext(claim, fate);
    moves.stop(claim);
    Claim again = moves.claimOne();
    moves.stop(again);
    return again.job();
  }

  @Test
  default void a_domain_this_run_is_done_with_is_not_claimed_again() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    moves.release(moves.claimOne(), new Ending.DomainOutOfBudget());
    moves.release(moves.claimOne(), new Ending.JobFailed("nothing works"));
    assertThat(moves.store().claim(2, NOON)).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());

    moves.seeded("http://a.example/2");
    moves.store().end(RunEnding.STOPPED, NOON);
    moves.store().begin(TERMS, NOON);
    assertThat(moves.store().claim(2, NOON)).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void a_domain_one_run_is_done_with_is_claimed_in_the_next() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    moves.release(moves.claimOne(), new Ending.DomainOutOfBudget());
    moves.release(moves.claimOne(), new Ending.JobFailed("nothing works"));
    moves.store().end(RunEnding.FINISHED, NOON);
    moves.store().begin(TERMS, NOON);
    assertThat(moves.store().claim(2, NOON))
        .hasSize(2)
        .allMatch(claim -> claim.job().equals(JobProgress.NONE));
  }

  @Test
  default void a_domain_given_back_for_want_of_pages_in_the_run_can_be_claimed_again() {
    Moves moves = moves("http://a.example/");
    moves.release(moves.claimOne(), new Ending.RunOutOfBudget());
    assertThat(moves.store().claim(1, NOON)).hasSize(1);
  }
}
