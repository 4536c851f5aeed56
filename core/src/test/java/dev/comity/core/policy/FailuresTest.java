package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.support.Script;
import dev.comity.core.schedule.Budget;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private final Script script = Script.play();

  @Test
  void five_different_urls_in_a_row_close_the_domain_for_what_the_fifth_failed_with() {
    Map<FetchOutcome, CloseReason> reasons =
        Map.of(
            new Forbidden(403),
            CloseReason.FORBIDDEN,
            new Forbidden(401),
            CloseReason.FORBIDDEN,
            BROKEN,
            CloseReason.SERVER_ERRORS,
            new LoginRequired(200),
            CloseReason.LOGIN_REQUIRED,
            new Challenge(200),
            CloseReason.CHALLENGE,
            new TimedOut("5 s"),
            CloseReason.TIMEOUT,
            new ConnectionFailed("refused"),
            CloseReason.CONNECTION_FAILED,
            new TlsFailed("expired"),
            CloseReason.TLS_FAILURE,
            new DnsFailed("no address"),
            CloseReason.DNS_FAILURE);
    reasons.forEach(
        (outcome, reason) -> {
          Script each = Script.play();
          each.times(3, BROKEN).times(1, outcome);
          assertThat(each.state.standing().mayBeAsked()).isTrue();
          Decision fifth = each.ask(outcome);
          assertThat(fifth.state().standing().reason()).contains(reason);
          assertThat(fifth.state().standing().status()).isEqualTo(reason.status());
          assertThat(fifth.changes()).contains(new Change.Closed(fifth.state().standing()));
        });
  }

  @Test
  void rests_after_failures_double_from_two_seconds_to_five_minutes() {
    List<Long> rests = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      script.ask(url(1), Kind.PAGE, 1, BROKEN);
      rests.add(script.rest().toSeconds());
    }
    assertThat(rests).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
    assertThat(script.state.standing().mayBeAsked()).isTrue();
    assertThat(script.state.failures().recent()).hasSize(4);
  }

  @Test
  void retries_of_one_page_are_one_failure() {
    for (int i = 0; i < 20; i++) {
      script.ask(url(i % 4), Kind.PAGE, 1, BROKEN);
    }
    assertThat(script.state.failures().streak()).hasSize(4);
    assertThat(script.state.standing().mayBeAsked()).isTrue();
  }

  @Test
  void five_requests_in_flight_during_one_hiccup_are_one_failure() {
    List<Attempt> inFlight = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      inFlight.add(script.start());
    }
    for (Attempt attempt : inFlight) {
      script.now = script.now.plusMillis(20);
      script.answer(attempt, new TimedOut("5 s"));
    }
    assertThat(script.state.failures().streak()).hasSize(1);
    assertThat(script.state.failures().moments()).isEqualTo(1);
    assertThat(script.rest()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_url_that_is_given_up_adds_to_the_streak_though_its_requests_always_overlapped() {
    for (int ordinal = 1; ordinal <= 4; ordinal++) {
      hiccup(ordinal, new TimedOut("30 s"));
      assertThat(script.state.failures().streak()).hasSize(ordinal == 4 ? 5 : ordinal);
    }
    assertThat(script.state.standing().reason()).contains(CloseReason.TIMEOUT);
    assertThat(script.state.failures().moments()).isEqualTo(4);
  }

  @Test
  void a_retry_in_between_does_not_hide_a_failure_that_overlaps_with_it() {
    script.ask(url(0), Kind.PAGE, 1, BROKEN);
    Attempt retry = script.start(url(0), Kind.PAGE, 2);
    Attempt other = script.start(url(1), Kind.PAGE, 1);
    script.answer(retry, BROKEN);
    script.answer(other, BROKEN);
    assertThat(script.state.failures().streak())
        .extracting(Failures.Counted::url)
        .containsExactly(url(0), url(1));
    assertThat(script.state.failures().moments()).isEqualTo(2);
  }

  @Test
  void what_is_given_up_after_the_domain_was_closed_counts_no_more() {
    Attempt late = script.start(url(9), Kind.PAGE, 4);
    script.times(5, BROKEN);
    assertThat(script.answer(late, BROKEN).fate())
        .isEqualTo(new Fate.Failed(Category.SERVER_ERROR));
    assertThat(script.state.failures().streak()).hasSize(5);
  }

  @Test
  void a_url_that_fails_again_after_a_success_is_the_pages_own_fault_and_not_the_sites() {
    for (FetchOutcome failure : List.of(BROKEN, new TimedOut("30 s"))) {
      Script each = Script.play();
      for (int page = 0; page < 8; page++) {
        each.ask(url(page), Kind.PAGE, 1, failure);
        each.ask(OK);
      }
      Failures before = each.state.failures();
      Instant rested = each.state.slots().restUntil();
      for (int ordinal = 2; ordinal <= 4; ordinal++) {
        for (int page = 0; page < 8; page++) {
          Fate fate = each.ask(url(page), Kind.PAGE, ordinal, failure).fate();
          assertThat(fate)
              .isEqualTo(
                  ordinal < 4
                      ? new Fate.Retry(each.now.plusSeconds(1L << (ordinal - 1)), true)
                      : new Fate.Failed(failure.category()));
        }
      }
      assertThat(each.state.failures()).isEqualTo(before);
      assertThat(each.state.slots().restUntil()).isEqualTo(rested);
    }
  }

  @Test
  void a_url_that_fails_again_without_a_success_in_between_is_the_sites_fault() {
    script.ask(OK);
    for (int page = 0; page < 4; page++) {
      script.ask(url(page), Kind.PAGE, 1, BROKEN);
    }
    // It answers, which ends the streak, but it serves nothing.
    script.ask(MISSING);
    assertThat(script.state.failures().streak()).isEmpty();
    script.ask(url(0), Kind.PAGE, 2, BROKEN);
    assertThat(script.state.failures().streak()).hasSize(1);
    assertThat(script.rest()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void retries_from_before_a_cooldown_count_as_any_failure() {
    script.ask(OK);
    script.times(5, BROKEN);
    script.now = script.state.standing().until().orElseThrow();
    script.state = script.policy.claimed(script.state, script.now);
    for (int page = 1; page <= 5; page++) {
      script.ask(url(page), Kind.PAGE, 2, BROKEN);
      assertThat(script.state.failures().streak()).hasSize(page);
    }
    assertThat(script.state.standing().setbacks()).isEqualTo(2);
  }

  @Test
  void pages_that_turn_us_away_rest_the_domain_from_the_second_in_a_row() {
    for (FetchOutcome away :
        List.of(
            new Forbidden(401), new Forbidden(403), new LoginRequired(200), new Challenge(200))) {
      Script each = Script.play();
      List<Long> rests = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        each.ask(away);
        rests.add(Math.max(0, each.rest().toSeconds()));
      }
      assertThat(rests).containsExactly(0L, 4L, 8L, 16L);
      each.ask(OK);
      each.ask(away);
      assertThat(each.rest()).isNegative();
    }
  }

  @Test
  void from_the_second_failure_in_a_row_one_request_is_in_flight_until_a_success() {
    script.ask(BROKEN);
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
    script.ask(BROKEN);
    assertThat(script.policy.concurrency(script.state)).isEqualTo(1);
    script.ask(OK);
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
  }

  @Test
  void of_urls_failing_without_end_the_last_hundred_are_remembered() {
    for (int page = 0; page < 150; page++) {
      script.ask(url(page), Kind.SITEMAP, 1, BROKEN);
    }
    assertThat(script.state.failures().failing()).hasSize(100);
    assertThat(script.state.failures().failing().getLast().url()).isEqualTo(url(149));
  }

  private void hiccup(int ordinal, FetchOutcome outcome) {
    List<Attempt> inFlight = new ArrayList<>();
    for (int page = 0; page < 5; page++) {
      inFlight.add(script.start(url(page), Kind.PAGE, ordinal));
    }
    for (Attempt attempt : inFlight) {
      script.now = script.now.plusMillis(20);
      script.answer(attempt, outcome);
    }
  }

  @Test
  void one_success_or_one_404_sets_the_streak_to_zero() {
    for (FetchOutcome answer : List.of(OK, MISSING)) {
      Script each = Script.play();
      each.times(4, BROKEN).times(1, answer).times(4, BROKEN);
      assertThat(each.state.standing().mayBeAsked()).isTrue();
      assertThat(each.state.failures().moments()).isEqualTo(4);
    }
  }

  @Test
  void what_is_too_large_or_undecodable_fails_alone() {
    for (FetchOutcome outcome : List.of(new TooLarge(200, 10), new Undecodable(200, "gzip"))) {
      Script each = Script.play();
      each.times(4, BROKEN);
      Decision decision = each.ask(outcome);
      assertThat(decision.fate()).isEqualTo(new Fate.Failed(outcome.category()));
      assertThat(((Fate.Failed) decision.fate()).answered()).isTrue();
      assertThat(each.state.failures().streak()).isEmpty();
    }
  }

  @Test
  void what_is_of_a_type_that_is_not_kept_is_skipped_and_the_site_is_healthy() {
    Script each = Script.play();
    each.times(4, BROKEN);
    Decision decision = each.ask(new WrongType(200, "video/mp4"));
    assertThat(decision.fate()).isEqualTo(new Fate.Skipped());
    assertThat(decision.fate().isPage()).isFalse();
    assertThat(each.state.failures().streak()).isEmpty();
  }

  @Test
  void what_was_served_counts_for_the_pace_even_if_it_is_of_no_use() {
    script.ask(new WrongType(200, "video/mp4"));
    assertThat(script.state.learning().evidence().served()).isEqualTo(1);
    assertThat(script.state.learning().row()).isEqualTo(1);
    script.ask(new WrongType(404, "video/mp4"));
    script.ask(new Undecodable(400, "gzip"));
    assertThat(script.state.learning().evidence().served()).isEqualTo(3);
    assertThat(script.state.learning().row()).isEqualTo(1); // No proof that the delay is right.
  }

  @Test
  void an_answer_before_any_success_is_remembered_as_an_answer() {
    script.ask(MISSING);
    assertThat(script.state.heard().lastAnswer()).isEqualTo(script.now);
    assertThat(script.state.failures().succeeded()).isFalse();
    script.ask(OK);
    script.ask(BROKEN);
    script.ask(MISSING);
    assertThat(script.state.failures().succeeded()).isTrue();
    assertThat(script.state.failures().moments()).isZero();
  }

  @Test
  void a_success_is_one_for_the_site_even_if_it_says_nothing_about_the_pace() {
    Attempt early = script.start();
    script.state =
        script.policy.limited(script.state, Limits.NONE.withMinimum(Duration.ofSeconds(2)));
    script.ask(BROKEN);
    LearnedDelay before = script.state.learning();
    script.answer(early, OK);
    assertThat(script.state.learning().with(before.evidence())).isEqualTo(before);
    assertThat(script.state.failures().streak()).isEmpty();
    assertThat(script.state.failures().succeeded()).isTrue();
  }

  @Test
  void one_404_also_ends_what_failing_sitemaps_began() {
    script.ask(MISSING);
    script.ask(url(100), Kind.SITEMAP, 1, BROKEN);
    assertThat(script.state.failures().moments()).isEqualTo(1);
    script.ask(MISSING);
    assertThat(script.state.failures().moments()).isZero();
  }

  @Test
  void a_page_is_tried_four_times_and_never_before_the_rest_ends() {
    for (int ordinal = 1; ordinal <= 3; ordinal++) {
      Decision decision = script.ask(url(1), Kind.PAGE, ordinal, BROKEN);
      assertThat(decision.fate())
          .isInstanceOfSatisfying(
              Fate.Retry.class,
              retry -> {
                assertThat(retry.due()).isAfterOrEqualTo(script.state.slots().restUntil());
                assertThat(retry.spendsRetry()).isTrue();
              });
    }
    assertThat(script.ask(url(1), Kind.PAGE, 4, BROKEN).fate())
        .isEqualTo(new Fate.Failed(Category.SERVER_ERROR));
  }

  @Test
  void a_408_and_a_425_are_retried_and_then_an_answer() {
    for (int code : new int[] {408, 425}) {
      FetchOutcome early = new ClientError(code);
      assertThat(script.ask(url(code), Kind.PAGE, 3, early).fate())
          .isEqualTo(new Fate.Retry(script.now, true));
      assertThat(script.ask(url(code), Kind.PAGE, 4, early).fate())
          .isEqualTo(new Fate.Done(Category.CLIENT_ERROR));
    }
    assertThat(script.ask(MISSING).fate()).isEqualTo(new Fate.Done(Category.CLIENT_ERROR));
  }

  @Test
  void a_login_wall_or_a_captcha_is_not_asked_again() {
    assertThat(script.ask(new LoginRequired(200)).fate())
        .isEqualTo(new Fate.Failed(Category.LOGIN_REQUIRED));
    assertThat(script.ask(new Challenge(503)).fate())
        .isEqualTo(new Fate.Failed(Category.CHALLENGE));
  }

  @Test
  void what_was_never_sent_changes_nothing() {
    DomainState before = script.state;
    Attempt attempt = new Attempt(url(1), Kind.PAGE, 1, START, Duration.ofSeconds(1));
    assertThat(script.answer(attempt, new Cancelled()).fate()).isInstanceOf(Fate.Returned.class);
    assertThat(script.answer(attempt, new AddressDenied("10.0.0.1")).fate())
        .isEqualTo(new Fate.Failed(Category.ADDRESS_DENIED));
    assertThat(script.answer(attempt, new ContactMissing("192.0.2.1")).fate())
        .isEqualTo(new Fate.Failed(Category.CONTACT_MISSING));
    assertThat(script.state).isEqualTo(before);
  }

  @Test
  void an_answered_robots_txt_is_no_success_of_the_domain_and_its_4xx_no_failure() {
    script.times(4, BROKEN);
    script.ask(url(100), Kind.ROBOTS, 1, OK);
    assertThat(script.state.failures().streak()).hasSize(4);
    assertThat(script.state.failures().succeeded()).isFalse();
    assertThat(script.ask(url(101), Kind.ROBOTS, 1, new Forbidden(403)).fate())
        .isEqualTo(new Fate.Done(Category.CLIENT_ERROR));
    assertThat(script.state.failures().streak()).hasSize(4);
  }

  @Test
  void a_robots_txt_that_fails_five_times_closes_the_domain() {
    for (int ordinal = 1; ordinal <= 4; ordinal++) {
      assertThat(script.ask(url(1), Kind.ROBOTS, ordinal, BROKEN).fate())
          .isEqualTo(new Fate.Retry(script.state.slots().restUntil(), true));
    }
    Decision fifth = script.ask(url(1), Kind.ROBOTS, 5, new TimedOut("5 s"));
    assertThat(fifth.state().standing().reason()).contains(CloseReason.TIMEOUT);
    assertThat(fifth.fate()).isEqualTo(new Fate.Failed(Category.TIMEOUT));
  }

  @Test
  void if_another_authority_answers_only_the_urls_of_the_failing_one_fail() {
    script.ask(CrawlUrl.of("http://www.site.test/robots.txt"), Kind.ROBOTS, 1, MISSING);
    Decision fifth = script.ask(url(1), Kind.ROBOTS, 5, BROKEN);
    assertThat(fifth.state().standing().mayBeAsked()).isTrue();
    assertThat(fifth.fate()).isEqualTo(new Fate.Failed(Category.SERVER_ERROR));
    assertThat(fifth.changes()).contains(new Change.AuthorityGivenUp(Category.SERVER_ERROR));
  }

  @Test
  void a_failing_sitemap_rests_the_domain_and_closes_nothing() {
    for (int i = 0; i < 8; i++) {
      script.ask(url(i), Kind.SITEMAP, 1, BROKEN);
    }
    assertThat(script.rest()).isEqualTo(Duration.ofSeconds(256));
    assertThat(script.state.standing().mayBeAsked()).isTrue();
    assertThat(script.state.failures().streak()).isEmpty();
  }

  @Test
  void if_the_frontier_empties_without_a_success_the_last_failure_decides() {
    script.ask(new DnsFailed("no address"));
    assertThat(script.policy.emptied(script.state, script.now).standing().reason())
        .contains(CloseReason.DNS_FAILURE);
    script.ask(OK);
    script.ask(BROKEN);
    assertThat(script.policy.emptied(script.state, script.now).standing())
        .isEqualTo(Standing.EXHAUSTED);
  }

  @Test
  void what_our_own_outage_caused_is_taken_back_closing_included() {
    script.times(2, BROKEN);
    Instant outage = script.now.plusMillis(1);
    script.times(3, new ConnectionFailed("unreachable"));
    assertThat(script.state.standing().status()).isEqualTo(DomainStatus.UNREACHABLE);
    DomainState innocent = script.policy.takenBack(script.state, outage);
    assertThat(innocent.standing()).isEqualTo(Standing.ACTIVE);
    assertThat(innocent.failures().streak()).hasSize(2);
    assertThat(innocent.failures().moments()).isEqualTo(2);
    assertThat(script.policy.takenBack(innocent, outage)).isEqualTo(innocent);
  }

  @Test
  void a_robots_txt_that_our_own_outage_kept_from_us_closes_nothing_either() {
    script.ask(url(1), Kind.ROBOTS, 5, new DnsFailed("no answer"));
    assertThat(script.state.standing().status()).isEqualTo(DomainStatus.UNREACHABLE);
    DomainState later = script.policy.takenBack(script.state, script.now.plusMillis(1));
    assertThat(later).isEqualTo(script.state);
    DomainState innocent = script.policy.takenBack(script.state, script.now);
    assertThat(innocent.standing()).isEqualTo(Standing.ACTIVE);
    assertThat(innocent.failures().last()).isEmpty();
  }

  @Test
  void a_budget_reserves_settles_and_gives_back() {
    Budget two = Budget.of(2);
    Budget one = two.reserve().orElseThrow();
    Budget none = one.reserve().orElseThrow();
    assertThat(none.reserve()).isEqualTo(Optional.empty());
    assertThat(none.spent()).isFalse();
    assertThat(none.after(new Fate.Failed(Category.TIMEOUT))).isEqualTo(one);
    assertThat(none.after(new Fate.Retry(START, false))).isEqualTo(one);
    assertThat(none.after(new Fate.Denied())).isEqualTo(one);
    assertThat(none.after(new Fate.Returned())).isEqualTo(one);
    Budget settled = none.after(new Fate.Done(Category.SUCCESS));
    assertThat(settled).isEqualTo(new Budget(2, 1, 0, 1));
    assertThat(settled.after(new Fate.Done(Category.CLIENT_ERROR)).spent()).isTrue();
  }

  @Test
  void answers_that_are_not_kept_cost_no_page_and_have_a_limit_of_their_own() {
    Budget budget = new Budget(2, 1, 0, 1).after(new Fate.Skipped());
    assertThat(budget).isEqualTo(new Budget(2, 1, 1, 0));
    assertThat(budget.hasRoom()).isTrue();
    Budget full = budget.reserve().orElseThrow().after(new Fate.Failed(Category.TOO_LARGE));
    assertThat(full).isEqualTo(new Budget(2, 1, 2, 0));
    assertThat(full.hasRoom()).isFalse();
    assertThat(full.spent()).isTrue();
  }
}
