package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Explanation.Considered;
import dev.comity.core.policy.learning.BracketSearch;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private final Script script = Script.play();

  @Test
  void it_names_the_rule_that_sets_the_delay_and_what_else_was_considered() {
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(3)));
    script.ask(REFUSED);
    Explanation why = explain();
    assertThat(why.pace()).isEqualTo(new Pace(seconds(4), Pace.Rule.LEARNED));
    assertThat(why.considered())
        .containsExactly(
            new Considered(Pace.Rule.MINIMUM, seconds(1)),
            new Considered(Pace.Rule.CRAWL_DELAY, seconds(3)),
            new Considered(Pace.Rule.LEARNED, seconds(4)));
    assertThat(why.next()).contains(script.now.plusSeconds(4));
    assertThat(why.waiting()).contains("the site refused a request and we rest");
    assertThat(why.toChange())
        .containsExactly(
            "one success after 1 refusal ends them, and what was served sets the delay",
            "19 more refusals in a row block the domain, not before 2026-01-02T01:00:00.100Z");
  }

  @Test
  void it_reads_as_text() {
    script.times(1, OK).times(1, REFUSED).times(1, OK);
    assertThat(explain().words())
        .isEqualTo(
            """
            delay 1.964 s, set by a shorter delay being tried
              the minimum interval: 1 s
              a shorter delay being tried: 1.964 s
            in flight at most 5
            next request: 2026-01-01T00:00:05.064Z (the delay since the last request has not passed)
            - refused at 1 s, served at 3.162 s
            - 2 more successes and 1.964 s stands; a refusal brings back 3.162 s
            """);
  }

  @Test
  void a_domain_that_may_be_asked_waits_for_nothing() {
    Explanation why = script.policy.explain(script.state, InFlight.NONE, START);
    assertThat(why.next()).contains(START);
    assertThat(why.waiting()).isEmpty();
    assertThat(why.toChange()).hasSize(1);
  }

  @Test
  void a_closed_domain_says_why_and_until_when() {
    script.times(5, BROKEN);
    Explanation why = explain();
    assertThat(why.waiting()).contains("blocked for server_errors: its server kept failing");
    assertThat(why.next()).contains(script.now.plus(Duration.ofDays(1)));
    assertThat(why.toChange())
        .contains("the cooldown ends at " + script.now.plus(Duration.ofDays(1)));
  }

  @Test
  void a_permanent_block_says_that_only_an_operator_can_help() {
    script.state = script.policy.blocked(script.state);
    Explanation why = explain();
    assertThat(why.next()).isEmpty();
    assertThat(why.toChange()).contains("an operator's reset opens the domain");
    assertThat(why.words())
        .contains("next request: none is planned (blocked for operator: an operator said so)");
  }

  @Test
  void a_learned_delay_says_how_many_successes_it_takes_to_try_less() {
    script.times(1, OK).times(1, REFUSED).times(2, OK);
    assertThat(explain().toChange())
        .containsExactly(
            "refused at 1 s, served at 3.162 s",
            "1 more success and 1.964 s stands; a refusal brings back 3.162 s");
    script.times(2, BROKEN);
    assertThat(explain().toChange())
        .contains("3 more failing URLs in a row close the domain; one success resets this");
  }

  @Test
  void a_settled_delay_says_when_the_refused_one_is_tried_again() {
    script.times(1, OK).times(1, REFUSED);
    while (script.state.learning().probe().isPresent()
        || script.state.learning().incident().isPresent()) {
      script.ask(OK);
    }
    assertThat(explain().toChange())
        .containsExactly(
            "refused at 1 s, served at 1.089 s", "120 more successes and a shorter delay is tried");
    while (!BracketSearch.isSettled(script.state.learning())
        || script.state.learning().probe().isPresent()) {
      script.ask(OK);
    }
    assertThat(explain().toChange())
        .containsExactly(
            "refused at 1 s, served at 1.024 s: settled",
            "1 s was refused and is tried again after 2000 more successes");
  }

  @Test
  void a_slow_site_names_its_latency_and_a_full_domain_its_requests_in_flight() {
    DomainPolicy slow =
        new DomainPolicy(
            PolicySettings.DEFAULTS.with(new PaceSettings(Duration.ofSeconds(1), 5, 2)));
    DomainState state = script.state.with(Latency.UNKNOWN.with(seconds(2)));
    Explanation why = slow.explain(state, InFlight.started(5), START);
    assertThat(why.considered()).contains(new Considered(Pace.Rule.LATENCY, seconds(4)));
    assertThat(why.next()).contains(START);
    assertThat(why.waiting()).contains("as many requests are in flight as this domain may have");
    script.start();
    assertThat(script.policy.explain(script.state, new InFlight(1, true), START).next())
        .contains(START.plusSeconds(1));
  }

  private Explanation explain() {
    return script.policy.explain(script.state, InFlight.NONE, script.now);
  }
}
