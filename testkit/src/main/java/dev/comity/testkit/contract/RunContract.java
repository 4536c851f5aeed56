package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.terms;
import static dev.comity.testkit.contract.Moves.unasked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run outlives the processes that work on it, until it is over or another one is wanted. */
public interface RunContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
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
