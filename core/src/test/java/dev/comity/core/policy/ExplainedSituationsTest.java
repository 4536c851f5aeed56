package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.learning.Noise;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person reads who asks why a domain is treated as it is. */
class ExplainedSituationsTest {
  private final Script script = Script.play();

  @Test
  void a_new_domain() {
    assertThat(words())
        .isEqualTo(
            """
            delay 1 s, set by the minimum interval
              the minimum interval: 1 s
            in flight at most 5
            next request: 2026-01-01T00:00:00Z
            - a refusal would make the delay longer, another setting would replace it
            """);
  }

  @Test
  void a_crawl_delay_that_parks() {
    script.state =
        script.policy.limited(script.state, Limits.NONE.withCrawlDelay(Duration.ofMinutes(15)));
    script.ask(OK);
    assertThat(words())
        .isEqualTo(
            """
            delay 900 s, set by the delay that its robots.txt asks for
              the minimum interval: 1 s
              the delay that its robots.txt asks for: 900 s
            in flight at most 5
            next request: 2026-01-01T00:15:00Z (the delay since the last request has not passed; \
            the domain is parked)
            - a refusal would make the delay longer, another setting would replace it
            """);
  }

  @Test
  void a_rest_the_site_asked_for() {
    script.ask(REFUSED);
    script.ask(refusedFor(Duration.ofHours(1)));
    assertThat(words())
        .isEqualTo(
            """
            delay 3 s, set by what its refusals taught
              the minimum interval: 1 s
              what its refusals taught: 3 s
            in flight at most 1
            next request: 2026-01-01T01:00:02.200Z (the site said how long to stay away; \
            the domain is parked)
            - one success after 2 refusals ends them, and what was served sets the delay
            - 18 more refusals in a row block the domain, not before 2026-01-02T01:00:00.100Z
            """);
  }

  @Test
  void a_rest_after_failures() {
    script.times(4, BROKEN);
    assertThat(words())
        .isEqualTo(
            """
            delay 1 s, set by the minimum interval
              the minimum interval: 1 s
            in flight at most 1
            next request: 2026-01-01T00:00:30.400Z (4 URLs failed in a row, the last with \
            server_error, and we rest)
            - 1 more failing URL in a row closes the domain; one success resets this
            """);
  }

  @Test
  void a_rest_names_the_request_that_failed_and_what_went_wrong() {
    script.times(1, BROKEN);
    assertThat(words()).containsPattern("\\(http\\S+ failed \\(server_error\\) and we rest\\)");
  }

  @Test
  void a_block_with_an_end() {
    script.times(20, REFUSED);
    assertThat(words())
        .endsWith(
            """
            next request: 2026-01-14T07:13:32Z (blocked for rate_limited: it refused again and \
            again, or for longer than we wait)
            - the cooldown ends at 2026-01-14T07:13:32Z
            - an operator's reset opens the domain before that
            """);
  }

  @Test
  void a_block_without_one() {
    script.ask(refusedFor(Duration.ofDays(31)));
    assertThat(words())
        .endsWith(
            """
            next request: none is planned (blocked for rate_limited: it refused again and \
            again, or for longer than we wait)
            - an operator's reset opens the domain
            """);
  }

  @Test
  void a_domain_with_nothing_left_does_not_wait_for_an_operator() {
    script.ask(OK);
    script.state = script.policy.emptied(script.state, script.now);
    assertThat(words())
        .endsWith(
            """
            next request: none is planned (exhausted: nothing is left to ask)
            - a new URL wakes the domain, or a known one that is due for another look
            """);
  }

  @Test
  void a_share_of_refusals_that_is_noise_is_told() {
    LearnedDelay noisy =
        new LearnedDelay(
            seconds(2),
            Optional.empty(),
            Optional.of(seconds(2)),
            1,
            Optional.empty(),
            Optional.empty(),
            Slots.NEVER,
            Evidence.NONE);
    LearningDraft draft = new LearningDraft(noisy);
    draft.noise = Noise.found(0.034);
    script.state = script.state.with(draft.done());
    assertThat(script.policy.explain(script.state, InFlight.NONE, script.now).toChange())
        .containsExactly(
            "served at 2 s, nothing refused",
            "3.4 % of requests are refused whatever the pace; these are borne",
            "2 more successes and a shorter delay is tried");
  }

  @Test
  void a_hard_floor_says_that_it_is_one() {
    Script steps =
        new Script(
            PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP)));
    steps.times(2, REFUSED).times(20, OK).times(1, REFUSED).times(30, OK);
    assertThat(steps.policy.explain(steps.state, InFlight.NONE, steps.now).toChange())
        .containsExactly("less than 3 s was refused and is not tried again");
  }

  private String words() {
    return script.policy.explain(script.state, InFlight.NONE, script.now).words();
  }
}
