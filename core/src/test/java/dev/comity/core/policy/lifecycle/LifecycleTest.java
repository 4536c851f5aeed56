package dev.comity.core.policy.lifecycle;

import static dev.comity.core.policy.support.Script.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.lifecycle.Lifecycle.Cause;
import dev.comity.core.policy.lifecycle.Lifecycle.Transition;
import dev.comity.core.policy.settings.CooldownSettings;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private final Lifecycle lifecycle = new Lifecycle(CooldownSettings.DEFAULTS);
  private final Instant muchLater = START.plus(Duration.ofDays(400));

  @Test
  void every_row_of_the_table_is_walked_and_nothing_else_can_be() {
    Map<Cause, List<UnaryOperator<Standing>>> doors =
        Map.of(
            Cause.CLAIM, List.of(s -> lifecycle.claimed(s, muchLater)),
            Cause.HOLDER,
                List.of(
                    lifecycle::exhausted,
                    s -> lifecycle.closed(s, CloseReason.FORBIDDEN, START),
                    s -> lifecycle.closed(s, CloseReason.TIMEOUT, START)),
            Cause.COOLDOWN, List.of(lifecycle::cooled),
            Cause.ARRIVAL, List.of(lifecycle::arrival),
            Cause.TAKE_BACK, List.of(lifecycle::takenBack),
            Cause.RESET, List.of(lifecycle::reset),
            Cause.BLOCK, List.of(lifecycle::blocked));
    Standing blocked = lifecycle.closed(Standing.ACTIVE, CloseReason.FORBIDDEN, START);
    Standing unreachable = lifecycle.closed(Standing.ACTIVE, CloseReason.TIMEOUT, START);
    List<Standing> everywhere =
        List.of(Standing.PENDING, Standing.ACTIVE, Standing.EXHAUSTED, blocked, unreachable);

    Set<Transition> walked = new HashSet<>();
    for (Standing from : everywhere) {
      doors.forEach(
          (cause, ways) -> {
            for (UnaryOperator<Standing> way : ways) {
              try {
                Standing to = way.apply(from);
                if (cause != Cause.ARRIVAL || !to.equals(from)) {
                  walked.add(new Transition(from.status(), to.status(), cause));
                }
              } catch (IllegalStateException closed) {
                assertThat(closed).hasMessageContaining("no way");
              }
            }
          });
    }
    assertThat(walked).containsExactlyInAnyOrderElementsOf(Lifecycle.TABLE);
  }

  @Test
  void cooldowns_last_as_long_as_their_reason_says() {
    Map<CloseReason, Duration> cooldowns =
        Map.of(
            CloseReason.LOGIN_REQUIRED, Duration.ofDays(30),
            CloseReason.PAYMENT_REQUIRED, Duration.ofDays(30),
            CloseReason.LEGAL, Duration.ofDays(30),
            CloseReason.ROBOTS_DENIED, Duration.ofDays(90),
            CloseReason.FORBIDDEN, Duration.ofDays(14),
            CloseReason.RATE_LIMITED, Duration.ofDays(7),
            CloseReason.SERVER_ERRORS, Duration.ofDays(1),
            CloseReason.CHALLENGE, Duration.ofDays(14),
            CloseReason.TIMEOUT, Duration.ofHours(1),
            CloseReason.DNS_FAILURE, Duration.ofHours(1));
    cooldowns.forEach(
        (reason, cooldown) ->
            assertThat(lifecycle.closed(Standing.ACTIVE, reason, START).until())
                .contains(START.plus(cooldown)));
  }

  @Test
  void an_unreachable_domain_is_left_alone_for_an_hour_a_day_a_week_and_then_for_good() {
    Standing standing = Standing.PENDING;
    for (Duration cooldown : List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7))) {
      Standing closed =
          lifecycle.closed(lifecycle.claimed(standing, START), CloseReason.TIMEOUT, START);
      assertThat(closed.until()).contains(START.plus(cooldown));
      standing = lifecycle.cooled(closed);
      assertThat(standing.recovering()).isTrue();
    }
    Standing last = lifecycle.closed(standing, CloseReason.TIMEOUT, START);
    assertThat(last.permanent()).isTrue();
    assertThat(Lifecycle.cooledDown(last, muchLater)).isFalse();
    assertThat(lifecycle.reset(last)).isEqualTo(Standing.PENDING);
  }

  @Test
  void one_success_forgets_the_setbacks() {
    Script script = Script.play();
    script.times(5, Script.BROKEN);
    script.state = script.policy.cooled(script.state, muchLater);
    assertThat(script.state.standing()).isEqualTo(Standing.open(DomainStatus.PENDING, 1));
    assertThat(script.state.failures()).isEqualTo(Failures.NONE);
    script.now = muchLater;
    script.state = script.policy.claimed(script.state, muchLater);
    script.ask(Script.OK);
    assertThat(script.state.standing()).isEqualTo(Standing.ACTIVE);
  }

  @Test
  void a_cooldown_ends_on_time_and_not_before() {
    Standing closed = lifecycle.closed(Standing.ACTIVE, CloseReason.SERVER_ERRORS, START);
    Instant end = START.plus(Duration.ofDays(1));
    assertThat(Lifecycle.cooledDown(closed, end.minusMillis(1))).isFalse();
    assertThat(Lifecycle.cooledDown(closed, end)).isTrue();
    assertThatThrownBy(() -> lifecycle.claimed(closed, end.minusMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(lifecycle.claimed(closed, end).status()).isEqualTo(DomainStatus.ACTIVE);
  }

  @Test
  void an_operators_block_has_no_end_and_says_who_did_it() {
    Standing blocked = lifecycle.blocked(Standing.EXHAUSTED);
    assertThat(blocked.reason()).contains(CloseReason.OPERATOR);
    assertThat(blocked.permanent()).isTrue();
  }

  @Test
  void a_url_that_arrives_wakes_an_exhausted_domain_only() {
    assertThat(lifecycle.arrival(Standing.EXHAUSTED)).isEqualTo(Standing.PENDING);
    assertThat(lifecycle.arrival(Standing.ACTIVE)).isSameAs(Standing.ACTIVE);
  }

  @Test
  void a_cooldown_sets_the_streak_of_refusals_to_zero_and_keeps_what_was_learned() {
    Script script = Script.play();
    script.times(1, Script.OK).times(1, Script.REFUSED).times(1, Script.OK);
    Duration taught = script.state.learning().floor().orElseThrow();
    script.times(20, Script.REFUSED);
    script.state = script.policy.cooled(script.state, muchLater);
    assertThat(script.state.learning().refusalsInARow()).isZero();
    assertThat(script.delay()).isEqualTo(taught);
  }

  @Test
  void robots_that_deny_everything_block_for_ninety_days() {
    Script script = Script.play();
    Standing standing = script.policy.denied(script.state, START).standing();
    assertThat(standing.reason()).contains(CloseReason.ROBOTS_DENIED);
    assertThat(standing.until()).contains(START.plus(Duration.ofDays(90)));
  }

  @Test
  void set_times_hold_for_every_reason_one_after_the_other_and_the_last_repeats() {
    Duration hour = Duration.ofHours(1);
    Duration day = Duration.ofDays(1);
    Lifecycle impatient = new Lifecycle(new CooldownSettings(List.of(hour, day)));
    for (CloseReason reason : List.of(CloseReason.TIMEOUT, CloseReason.ROBOTS_DENIED)) {
      assertThat(impatient.closed(Standing.ACTIVE, reason, START).until())
          .contains(START.plus(hour));
      for (int setbacks = 1; setbacks < 3; setbacks++) {
        Standing again = Standing.open(DomainStatus.ACTIVE, setbacks);
        assertThat(impatient.closed(again, reason, START).until()).contains(START.plus(day));
      }
      Standing fourth = Standing.open(DomainStatus.ACTIVE, 3);
      assertThat(impatient.closed(fourth, reason, START).until()).isEmpty();
    }
  }

  @Test
  void only_an_open_domain_with_setbacks_is_recovering() {
    assertThat(Standing.PENDING.recovering()).isFalse();
    assertThat(Standing.open(DomainStatus.PENDING, 1).recovering()).isTrue();
    assertThat(lifecycle.closed(Standing.ACTIVE, CloseReason.TIMEOUT, START).recovering())
        .isFalse();
  }

  @Test
  void the_policy_resets_and_wakes_a_domain() {
    Script script = Script.play();
    script.times(5, Script.BROKEN);
    DomainState reset = script.policy.reset(script.state, script.now);
    assertThat(reset.standing()).isEqualTo(Standing.PENDING);
    assertThat(reset.failures()).isEqualTo(Failures.NONE);
    DomainState idle = script.state.with(Standing.EXHAUSTED);
    assertThat(script.policy.arrival(idle).standing()).isEqualTo(Standing.PENDING);
    assertThat(script.policy.arrival(reset)).isSameAs(reset);
  }

  @Test
  void claiming_a_domain_whose_cooldown_is_over_sets_its_streaks_to_zero() {
    Script script = Script.play();
    script.times(5, Script.BROKEN);
    DomainState claimed = script.policy.claimed(script.state, muchLater);
    assertThat(claimed.failures().streak()).isEmpty();
    assertThat(claimed.failures().moments()).isZero();
  }
}
