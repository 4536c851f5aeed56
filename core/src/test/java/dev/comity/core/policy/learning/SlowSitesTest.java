package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.LimitedSite.onePer;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Slots;
import dev.comity.core.policy.support.LimitedSite;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sites that are asked once a minute or less: what a wrong delay costs there is days. */
class SlowSitesTest {

  @Test
  void half_of_a_settled_delay_of_a_minute_is_tried_after_64_successes() {
    LimitedSite site = settledAt65();
    Duration enough = site.learning().floor().orElseThrow();
    int left = BracketSearch.successesBeforeNext(site.learning());
    assertThat(left + site.learning().row()).isEqualTo(64);
    assertThat(BracketSearch.retried(site.learning())).isEqualTo(enough.dividedBy(2));
    site.untilServed(left);
    assertThat(site.script.delay()).isEqualTo(enough.dividedBy(2));
    assertThat(site.learning().probe().orElseThrow().needed()).isEqualTo(4);
    int refusals = site.refusals;
    site.untilRefused(1);
    assertThat(site.refusals).isEqualTo(refusals + 1);
    assertThat(site.script.delay()).isEqualTo(enough);
  }

  @Test
  void where_half_of_it_is_served_shorter_ones_follow_until_the_base() {
    boolean[] lifted = new boolean[1];
    var limit = onePer(Duration.ofSeconds(65));
    LimitedSite site = new LimitedSite(1, now -> lifted[0] || limit.test(now));
    untilSettled(site);
    lifted[0] = true;
    site.untilServed(64 + 120);
    assertThat(site.script.delay()).isEqualTo(seconds(1));
  }

  @Test
  void a_delay_under_a_minute_keeps_the_rule_of_two_thousand() {
    assertThat(BracketSearch.successesBeforeNext(settled(59.999))).isEqualTo(2_000);
    assertThat(BracketSearch.successesBeforeNext(settled(60))).isEqualTo(64);
    assertThat(BracketSearch.retried(settled(59.999))).isEqualTo(seconds(58));
    assertThat(BracketSearch.retried(settled(60))).isEqualTo(seconds(30));
  }

  private static LearnedDelay settled(double delay) {
    return new LearnedDelay(
        seconds(delay),
        Optional.of(seconds(58)),
        Optional.of(seconds(delay)),
        0,
        Optional.empty(),
        Optional.empty(),
        Slots.NEVER,
        Evidence.NONE);
  }

  private static LimitedSite settledAt65() {
    return untilSettled(new LimitedSite(1, onePer(Duration.ofSeconds(65))));
  }

  private static LimitedSite untilSettled(LimitedSite site) {
    do {
      site.untilServed(1);
    } while (site.learning().probe().isPresent()
        || site.learning().floor().isEmpty()
        || !BracketSearch.isSettled(site.learning()));
    return site;
  }
}
