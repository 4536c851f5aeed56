package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which outcomes are asked again, how often, and when. */
class RetriesTest {

  @Test
  void whatever_may_pass_is_asked_again_three_times_after_the_rest() {
    for (FetchOutcome outcome :
        List.of(
            BROKEN,
            new ServerError(503),
            new TimedOut("30 s"),
            new ConnectionFailed("refused"),
            new TlsFailed("expired"),
            new DnsFailed("no address"))) {
      Script script = Script.play();
      for (int ordinal = 1; ordinal <= 3; ordinal++) {
        Decision again = script.ask(url(1), Kind.PAGE, ordinal, outcome);
        long rest = 1L << ordinal;
        long longer = ordinal == 1 ? 0 : rest / 2;
        assertThat(again.fate())
            .isEqualTo(new Fate.Retry(script.now.plusSeconds(rest + longer), true));
      }
      assertThat(script.ask(url(1), Kind.PAGE, 4, outcome).fate())
          .isEqualTo(new Fate.Failed(outcome.category()));
      assertThat(script.state.failures().streak()).hasSize(1);
    }
  }

  @Test
  void a_forbidden_page_is_asked_again_once_after_all_others_and_nothing_rests_for_it() {
    for (int code : new int[] {401, 403}) {
      Script script = Script.play();
      assertThat(script.ask(url(1), Kind.PAGE, 1, new Forbidden(code)).fate())
          .isEqualTo(new Fate.Retry(script.now, true));
      assertThat(script.ask(url(1), Kind.PAGE, 2, new Forbidden(code)).fate())
          .isEqualTo(new Fate.Failed(Category.FORBIDDEN));
      assertThat(script.state.slots().restUntil()).isEqualTo(Slots.NEVER);
      assertThat(script.state.failures().streak()).hasSize(1);
    }
  }

  @Test
  void without_retries_a_forbidden_page_has_none_either() {
    FailureSettings none = new FailureSettings(5, 0, 20);
    Script script = new Script(PolicySettings.DEFAULTS.with(none));
    assertThat(script.ask(new Forbidden(403)).fate())
        .isEqualTo(new Fate.Failed(Category.FORBIDDEN));
  }

  @Test
  void a_refusal_never_ends_a_url_however_often_it_was_tried() {
    Script script = Script.play();
    Decision refused = script.ask(url(1), Kind.PAGE, 4, REFUSED);
    assertThat(refused.fate()).isEqualTo(new Fate.Retry(script.now.plusSeconds(2), false));
  }
}
