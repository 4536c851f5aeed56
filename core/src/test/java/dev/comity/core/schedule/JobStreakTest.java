package dev.comity.core.schedule;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a job ends as failed: so many different URLs in a row whose latest request failed. */
class JobStreakTest {
  private final Script script = Script.play();
  private JobStreak streak = JobStreak.NONE;

  private JobStreak ask(int page, int ordinal, FetchOutcome outcome) {
    Attempt attempt = script.start(url(page), Kind.PAGE, ordinal);
    script.now = script.now.plus(Script.LATENCY);
    Decision decision = script.answer(attempt, outcome);
    streak = streak.after(attempt, decision.fate(), decision.state().failures());
    return streak;
  }

  @Test
  void every_different_url_counts_at_its_first_failure_whatever_tries_it_has_left() {
    assertThat(ask(1, 1, BROKEN).failed()).isEqualTo(1);
    assertThat(ask(2, 1, new Forbidden(403)).failed()).isEqualTo(2);
    assertThat(ask(3, 1, new FetchOutcome.LoginRequired(200)).failed()).isEqualTo(3);
  }

  @Test
  void retries_of_urls_in_the_row_add_nothing_given_up_or_not() {
    ask(1, 1, BROKEN);
    ask(2, 1, BROKEN);
    for (int ordinal = 2; ordinal <= 4; ordinal++) {
      ask(1, ordinal, BROKEN);
      assertThat(ask(2, ordinal, BROKEN).failed()).isEqualTo(2);
    }
  }

  @Test
  void every_answer_ends_the_row_and_a_refusal_does_not() {
    for (FetchOutcome answer : new FetchOutcome[] {OK, MISSING, new TooLarge(200, 10)}) {
      assertThat(ask(1, 1, BROKEN).failed()).isEqualTo(1);
      assertThat(ask(2, 1, answer)).isEqualTo(JobStreak.NONE);
      script.ask(OK);
    }
    ask(3, 1, BROKEN);
    assertThat(ask(4, 1, REFUSED).failed()).isEqualTo(1);
    assertThat(ask(5, 1, new ClientError(408)).failed()).isEqualTo(1);
    assertThat(ask(6, 1, BROKEN).failed()).isEqualTo(2);
  }

  @Test
  void a_page_that_fails_on_its_own_ends_no_job() {
    for (int page = 0; page < 30; page++) {
      ask(page, 1, BROKEN);
      assertThat(ask(100 + page, 1, OK)).isEqualTo(JobStreak.NONE);
    }
    for (int page = 0; page < 30; page++) {
      assertThat(ask(page, 2, BROKEN)).isEqualTo(JobStreak.NONE);
    }
  }

  @Test
  void what_may_not_be_connected_to_counts_as_failed() {
    ask(1, 1, new AddressDenied("10.0.0.1"));
    assertThat(ask(2, 1, new AddressDenied("10.0.0.1")).failed()).isEqualTo(2);
  }

  @Test
  void what_was_not_asked_counts_neither_way() {
    JobStreak three = new JobStreak(3);
    Attempt attempt = new Attempt(url(1), Kind.PAGE, 1, START, Duration.ofSeconds(1));
    for (Fate fate :
        new Fate[] {
          new Fate.Denied(), new Fate.Moved(), new Fate.Suppressed(), new Fate.Returned()
        }) {
      assertThat(three.after(attempt, fate, Failures.NONE)).isEqualTo(three);
    }
  }

  @Test
  void the_job_ends_at_the_threshold_and_not_before() {
    FailureSettings three = new FailureSettings(5, 3, 3);
    assertThat(new JobStreak(2).endsJob(three)).isFalse();
    assertThat(new JobStreak(3).endsJob(three)).isTrue();
    assertThat(new JobStreak(19).endsJob(FailureSettings.DEFAULTS)).isFalse();
    assertThat(new JobStreak(20).endsJob(FailureSettings.DEFAULTS)).isTrue();
  }
}
