package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.support.Script;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a domain still knows when someone takes it up again. */
class TakingUpTest {
  private final Script script = Script.play();

  @Test
  void a_domain_claimed_again_with_work_left_keeps_what_succeeded_before() {
    script.ask(OK);
    script.state = script.policy.takenOver(script.state, script.now);
    script.ask(BROKEN);
    assertThat(emptied().standing()).isEqualTo(Standing.EXHAUSTED);
  }

  @Test
  void a_refresh_that_serves_nothing_lets_the_last_failure_decide_whatever_was_before() {
    script.ask(OK);
    script.state = script.policy.claimed(emptied(), script.now);
    script.ask(BROKEN);
    assertThat(emptied().standing().reason()).contains(CloseReason.SERVER_ERRORS);
  }

  @Test
  void a_domain_that_closed_when_its_frontier_emptied_is_taken_back_too() {
    script.ask(new DnsFailed("no answer"));
    DomainState closed = emptied();
    assertThat(closed.standing().status()).isEqualTo(DomainStatus.UNREACHABLE);
    assertThat(script.policy.takenBack(closed, script.now).standing()).isEqualTo(Standing.ACTIVE);
  }

  @Test
  void what_is_taken_back_no_longer_decides_and_what_failed_before_does() {
    script.ask(BROKEN);
    script.ask(new DnsFailed("no answer"));
    script.state = script.policy.takenBack(script.state, script.now);
    assertThat(emptied().standing().reason()).contains(CloseReason.SERVER_ERRORS);
    script.state = script.policy.takenBack(script.state, START);
    assertThat(emptied().standing()).isEqualTo(Standing.EXHAUSTED);
  }

  @Test
  void after_three_cooldowns_without_a_success_a_fourth_has_no_end_and_a_404_changes_nothing() {
    for (int i = 0; i < 3; i++) {
      script.times(5, new Forbidden(403));
      Instant end = script.now.plus(Duration.ofDays(14));
      assertThat(script.state.standing().until()).contains(end);
      script.now = end;
      script.state = script.policy.claimed(script.policy.cooled(script.state, end), end);
      assertThat(script.state.failures()).isEqualTo(Failures.NONE);
      script.ask(MISSING);
    }
    script.times(5, new Forbidden(403));
    assertThat(script.state.standing().permanent()).isTrue();
  }

  @Test
  void a_refusal_stamped_by_a_clock_ahead_of_ours_does_not_make_us_deaf_to_the_next() {
    script.now = START.plusSeconds(600);
    script.ask(REFUSED);
    script.state = script.policy.claimed(script.state, START);
    script.now = START;
    Attempt attempt = new Attempt(url(1), Kind.PAGE, 1, START.plusSeconds(1), seconds(2));
    script.now = START.plusSeconds(2);
    script.answer(attempt, REFUSED);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(2);
    assertThat(script.delay()).isEqualTo(seconds(3));
    script.answer(new Attempt(url(2), Kind.PAGE, 1, START.plusSeconds(3), seconds(3)), OK);
    assertThat(script.state.learning().evidence().emptyAt()).isEqualTo(START);
    assertThat(script.state.learning().evidence().openSince()).isEqualTo(START.plusSeconds(3));
  }

  @Test
  void a_failure_stamped_by_a_clock_ahead_of_ours_does_not_hide_the_next() {
    script.ask(BROKEN);
    script.now = START.plusSeconds(600);
    script.ask(BROKEN);
    script.state = script.policy.claimed(script.state, START.plusSeconds(5));
    script.now = START.plusSeconds(7);
    script.answer(new Attempt(url(9), Kind.PAGE, 1, START.plusSeconds(6), seconds(1)), BROKEN);
    assertThat(script.state.failures().moments()).isEqualTo(3);
    assertThat(script.state.failures().streak()).hasSize(3);
    assertThat(script.state.failures().recent())
        .containsExactly(START.plusMillis(100), START.plusSeconds(5), START.plusSeconds(7));
    assertThat(script.state.failures().streak())
        .extracting(Failures.Counted::at)
        .containsExactly(START.plusMillis(100), START.plusSeconds(5), START.plusSeconds(7));
    assertThat(script.state.failures().failing()).isEqualTo(script.state.failures().streak());
  }

  @Test
  void no_cooldown_ends_early_and_one_without_an_end_never() {
    script.times(5, BROKEN);
    Instant end = script.now.plus(Duration.ofDays(1));
    assertThatThrownBy(() -> script.policy.cooled(script.state, end.minusMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no cooldown has ended");
    assertThat(script.policy.cooled(script.state, end).standing().mayBeAsked()).isTrue();
    DomainState blocked = script.policy.blocked(script.state);
    assertThatThrownBy(() -> script.policy.cooled(blocked, Instant.MAX))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void after_a_cooldown_every_streak_is_at_zero_and_the_learned_delay_is_kept() {
    script.times(1, OK).times(1, REFUSED).times(15, OK);
    Duration learned = script.state.learning().learned();
    DomainState denied = script.policy.denied(script.state, script.now);
    Instant end = script.now.plus(Duration.ofDays(90));
    DomainState cooled = script.policy.cooled(denied, end);
    assertThat(cooled.learning().row()).isZero();
    assertThat(cooled.learning().learned()).isEqualTo(learned).isGreaterThan(seconds(1));
    assertThat(cooled.failures()).isEqualTo(Failures.NONE);
    assertThat(script.policy.reset(denied, script.now).learning()).isEqualTo(cooled.learning());
  }

  @Test
  void the_last_answer_is_any_response_and_the_last_success_a_page_that_was_served() {
    assertThat(script.state.heard()).isEqualTo(Contact.NOTHING);
    script.ask(new TimedOut("30 s"));
    assertThat(script.state.heard()).isEqualTo(Contact.NOTHING);
    for (FetchOutcome said : List.of(REFUSED, BROKEN, MISSING, new LoginRequired(200))) {
      script.ask(said);
      assertThat(script.state.heard().lastAnswer()).isEqualTo(script.now);
    }
    script.ask(url(100), Kind.ROBOTS, 1, OK);
    assertThat(script.state.heard().lastAnswer()).isEqualTo(script.now);
    assertThat(script.state.heard().lastSuccess()).isEqualTo(Slots.NEVER);
    script.ask(new WrongType(200, "video/mp4"));
    Instant served = script.now;
    script.ask(MISSING);
    assertThat(script.state.heard().lastSuccess()).isEqualTo(served);
    assertThat(script.state.heard().lastAnswer()).isEqualTo(script.now);
  }

  @Test
  void an_authority_is_its_scheme_host_and_port_and_nothing_less() {
    Contact contact = Contact.NOTHING.answeredBy(CrawlUrl.of("https://ost:80/a"));
    for (String same : List.of("https://ost:80/", "https://ost:80/b?c")) {
      assertThat(contact.othersThan(CrawlUrl.of(same))).isFalse();
    }
    for (String other :
        List.of(
            "http://ost/a", "http://host/", "https://ost/a", "https://oste:80/", "https://o:80/")) {
      assertThat(contact.othersThan(CrawlUrl.of(other))).isTrue();
      assertThat(contact.answeredBy(CrawlUrl.of(other)).several()).isTrue();
    }
    assertThat(Contact.NOTHING.othersThan(CrawlUrl.of("https://ost/"))).isFalse();
  }

  @Test
  void when_a_site_was_heard_is_remembered_over_exhaustion_cooldown_and_reset() {
    script.ask(OK);
    Contact contact = script.state.heard();
    DomainState refreshed = script.policy.claimed(emptied(), script.now);
    assertThat(refreshed.heard().lastAnswer()).isEqualTo(contact.lastAnswer());
    assertThat(refreshed.heard().lastSuccess()).isEqualTo(contact.lastSuccess());
    assertThat(refreshed.heard().by()).isEmpty();
    assertThat(script.policy.claimed(script.state, script.now).heard()).isEqualTo(contact);
    assertThat(script.policy.reset(script.state, script.now).heard()).isEqualTo(contact);
    script.times(5, new TimedOut("5 s"));
    assertThat(script.policy.cooled(script.state, script.now.plusSeconds(3600)).heard())
        .isEqualTo(contact);
  }

  private DomainState emptied() {
    return script.policy.emptied(script.state, script.now);
  }
}
