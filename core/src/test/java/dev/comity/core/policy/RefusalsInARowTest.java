package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a site that refuses everything: parked for longer and longer, then blocked. */
class RefusalsInARowTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final Script script = Script.play();

  @Test
  void a_site_that_has_refused_everything_for_ten_minutes_is_parked_and_not_before() {
    script.ask(REFUSED);
    Instant opened = script.now;
    while (Duration.between(opened, script.now).compareTo(TEN_MINUTES) < 0) {
      assertThat(turn()).isInstanceOf(Turn.WaitUntil.class);
      script.ask(REFUSED);
    }
    assertThat(turn())
        .isEqualTo(new Turn.Park(script.now.plus(Duration.ofHours(1)), Turn.Why.REFUSED));
    assertThat(Duration.between(opened, script.now)).isLessThan(Duration.ofMinutes(14));
  }

  @Test
  void the_tenth_minute_counts_to_the_millisecond() {
    script.times(2, REFUSED);
    Instant opened = script.state.heard().refusedSince();
    DomainState before = script.state;
    for (int early = 1; early >= 0; early--) {
      script.state = before;
      script.now = opened.plus(TEN_MINUTES).minusMillis(early);
      Attempt attempt =
          new Attempt(url(7), Kind.PAGE, 1, script.now.minusSeconds(1), script.delay());
      script.answer(attempt, REFUSED);
      assertThat(script.rest()).isEqualTo(early == 1 ? seconds(8) : Duration.ofHours(1));
    }
  }

  @Test
  void it_is_parked_for_twice_as_long_each_time_and_for_a_day_at_most() {
    List<Long> parks = new ArrayList<>();
    while (script.state.standing().mayBeAsked()) {
      script.ask(REFUSED);
      if (turn() instanceof Turn.Park) {
        parks.add(script.rest().toHours());
      }
    }
    assertThat(parks).containsExactly(1L, 2L, 4L, 8L, 16L, 24L, 24L, 24L, 24L, 24L);
    assertThat(script.state.standing().reason()).contains(CloseReason.RATE_LIMITED);
  }

  @Test
  void a_retry_after_that_is_longer_than_the_park_is_kept() {
    script.times(12, REFUSED);
    script.ask(refusedFor(Duration.ofHours(30)));
    assertThat(turn())
        .isEqualTo(new Turn.Park(script.now.plus(Duration.ofHours(30)), Turn.Why.RETRY_AFTER));
  }

  @Test
  void refusals_that_name_a_short_wait_for_ever_are_parked_too() {
    int asked = 0;
    while (!(turn() instanceof Turn.Park)) {
      script.ask(refusedFor(seconds(5)));
      asked++;
    }
    assertThat(asked).isEqualTo(10);
  }

  @Test
  void a_site_that_was_asked_a_moment_too_early_after_a_long_wait_is_not_parked_for_it() {
    script.ask(refusedFor(Duration.ofHours(1)));
    script.ask(refusedFor(seconds(1)));
    assertThat(turn()).isEqualTo(new Turn.WaitUntil(script.now.plusSeconds(4), Turn.Why.REFUSED));
  }

  @Test
  void a_quota_by_the_hour_is_asked_again_when_the_hour_that_began_to_serve_is_over() {
    script.ask(REFUSED);
    script.ask(OK);
    Instant serving = script.now.minus(Script.LATENCY);
    script.times(600, OK);
    while (!(turn() instanceof Turn.Park)) {
      script.ask(REFUSED);
    }
    assertThat(turn()).isEqualTo(new Turn.Park(serving.plusSeconds(3_601), Turn.Why.REFUSED));
    // Refused then, too, it is no such quota, and has refused for less than an hour.
    script.ask(REFUSED);
    assertThat(script.rest()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void times_stamped_by_a_clock_ahead_of_ours_are_taken_to_be_now() {
    script.ask(REFUSED);
    script.ask(OK);
    script.ask(REFUSED);
    DomainState state = script.policy.claimed(script.state, START.minusSeconds(60));
    assertThat(state.heard().refusedSince()).isEqualTo(START.minusSeconds(60));
    assertThat(state.heard().servedSince()).isEqualTo(START.minusSeconds(60));
    assertThat(script.policy.claimed(script.state, script.now).heard())
        .isEqualTo(script.state.heard());
  }

  @Test
  void a_state_from_before_these_times_were_kept_is_refused_from_its_next_refusal_on() {
    script.times(15, REFUSED);
    Contact contact = script.state.heard();
    script.state =
        script.state.with(
            new Contact(
                contact.lastAnswer(), contact.lastSuccess(), contact.by(), false, contact.doors()));
    script.ask(REFUSED);
    assertThat(script.state.heard().refusedSince()).isEqualTo(script.now);
    assertThat(script.rest()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void any_answer_begins_the_ten_minutes_anew() {
    for (FetchOutcome answer : List.of(OK, MISSING)) {
      Script each = Script.play();
      each.times(12, REFUSED).ask(answer);
      each.ask(REFUSED);
      assertThat(each.rest()).isEqualTo(seconds(2));
    }
  }

  @Test
  void twenty_refusals_within_a_day_do_not_block() {
    Instant end = START.plus(Duration.ofHours(25));
    DomainState state = script.state;
    // Every minute, as no rest allows: the time alone keeps it open.
    for (Instant now = START; !now.isAfter(end); now = now.plusSeconds(60)) {
      script.now = now.plusSeconds(1);
      script.answer(new Attempt(url(1), Kind.PAGE, 1, now, seconds(1)), REFUSED);
      state = script.state;
    }
    assertThat(state.learning().refusalsInARow()).isEqualTo(25 * 60 + 1);
    assertThat(state.standing().reason()).contains(CloseReason.RATE_LIMITED);
    assertThat(state.standing().until()).contains(end.plusSeconds(1).plus(Duration.ofDays(7)));
  }

  @Test
  void a_day_of_refusals_does_not_block_before_the_twentieth() {
    script.times(19, REFUSED);
    assertThat(Duration.between(START, script.now)).isGreaterThan(Duration.ofHours(25));
    assertThat(script.state.standing().mayBeAsked()).isTrue();
    script.ask(REFUSED);
    assertThat(script.state.standing().mayBeAsked()).isFalse();
  }

  @Test
  void a_robots_txt_or_sitemap_that_is_answered_ends_no_row_of_refused_pages() {
    CrawlUrl aside = CrawlUrl.of("http://site.test/robots.txt");
    for (Kind kind : List.of(Kind.ROBOTS, Kind.SITEMAP)) {
      for (FetchOutcome answer : List.of(OK, MISSING)) {
        Script each = Script.play();
        each.ask(aside, kind, 1, answer);
        for (int refused = 1; refused < 20; refused++) {
          each.ask(REFUSED);
          each.ask(aside, kind, 1, answer);
        }
        assertThat(each.state.standing().mayBeAsked()).isTrue();
        each.now = START.plus(Duration.ofHours(26));
        each.ask(REFUSED);
        assertThat(each.state.standing().reason()).contains(CloseReason.RATE_LIMITED);
      }
    }
  }

  @Test
  void a_page_that_is_answered_ends_the_row_and_a_stale_answer_does_not() {
    for (FetchOutcome answer : List.of(OK, MISSING)) {
      Script each = Script.play();
      each.times(19, REFUSED).ask(answer);
      each.now = each.now.plus(Duration.ofDays(2));
      each.ask(REFUSED);
      assertThat(each.state.standing().mayBeAsked()).isTrue();
      Script stale = Script.play();
      Attempt early = stale.start();
      stale.times(19, REFUSED).answer(early, answer);
      stale.ask(REFUSED);
      assertThat(stale.state.standing().reason()).contains(CloseReason.RATE_LIMITED);
    }
  }

  @Test
  void a_site_that_may_not_be_blocked_for_refusing_is_still_parked() {
    Script never = Script.playUnblocked();
    never.times(30, REFUSED);
    assertThat(never.state.standing().mayBeAsked()).isTrue();
    assertThat(never.rest()).isEqualTo(Duration.ofDays(1));
    Script cancelling =
        new Script(PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withCancelAfter(20)));
    cancelling.times(30, REFUSED);
    assertThat(cancelling.state.standing().mayBeAsked()).isTrue();
    assertThat(cancelling.rest()).isEqualTo(Duration.ofDays(1));
  }

  private Turn turn() {
    return script.policy.turn(script.state, InFlight.NONE, script.now);
  }
}
