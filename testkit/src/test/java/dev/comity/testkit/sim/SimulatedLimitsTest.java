package dev.comity.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.ClosedFor;
import dev.comity.core.policy.PolicySettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the policy promises about limits a site really has: the worst of five seeds each. */
class SimulatedLimitsTest {
  private static final int SEEDS = 5;

  @Test
  void a_leaky_bucket_is_used_to_nine_tenths_and_refuses_one_in_fifty_at_most() {
    SimResult bucket = worst(SimShape.bucket());
    assertThat(bucket.share()).isGreaterThanOrEqualTo(0.90);
    assertThat(bucket.refusedShare()).isLessThanOrEqualTo(0.02);
  }

  @Test
  void an_interval_is_used_to_eight_tenths_and_refuses_one_in_a_hundred_at_most() {
    for (SimShape shape : SimShape.intervals()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.80);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.01);
    }
  }

  @Test
  void a_quota_by_the_clock_is_used_to_nine_tenths_and_refuses_one_in_fifty_at_most() {
    for (SimShape shape : SimShape.windows()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.90);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.02);
    }
  }

  @Test
  void a_limit_that_is_lifted_by_night_is_noticed() {
    SimResult night = worst(SimShape.night());
    assertThat(night.share()).isGreaterThanOrEqualTo(0.85);
    assertThat(night.refusedShare()).isLessThanOrEqualTo(0.02);
  }

  @Test
  void refusals_for_no_reason_do_not_stop_the_crawl() {
    assertThat(worst(SimShape.noise(0.003)).share()).isGreaterThanOrEqualTo(0.75);
    assertThat(worst(SimShape.noise(0.01)).share()).isGreaterThanOrEqualTo(0.30);
  }

  @Test
  void a_site_that_says_sixty_seconds_in_either_form_is_still_crawled() {
    for (SimShape shape : SimShape.sayingSixty()) {
      assertThat(worst(shape).share()).as(shape.name()).isGreaterThanOrEqualTo(0.75);
    }
  }

  @Test
  void eight_domains_behind_one_bucket_share_it_without_being_blocked() {
    SimResult shared = worst(SimShape.sharedBucket());
    assertThat(shared.refusedShare()).isLessThanOrEqualTo(0.02);
    assertThat(shared.share()).isGreaterThanOrEqualTo(0.60);
  }

  @Test
  void what_fails_is_closed_and_what_is_merely_slow_or_shaky_is_not() {
    List<SimShape> unwell = SimShape.unwell();
    assertThat(closings(unwell.get(0))).containsOnly(ClosedFor.SERVER_ERRORS);
    assertThat(closings(unwell.get(1))).isEmpty();
    assertThat(closings(unwell.get(2))).isEmpty();
    assertThat(closings(unwell.get(3))).containsOnly(ClosedFor.TIMEOUT);
    assertThat(closings(unwell.get(4))).isEmpty();
    assertThat(SimResult.of(unwell.get(2), PolicySettings.DEFAULTS, 1).share())
        .isGreaterThanOrEqualTo(0.99);
    assertThat(SimResult.of(unwell.get(4), PolicySettings.DEFAULTS, 1).share())
        .isGreaterThanOrEqualTo(0.99);
  }

  private static List<ClosedFor> closings(SimShape shape) {
    return SimResult.of(shape, PolicySettings.DEFAULTS, 1).closings().stream()
        .map(standing -> standing.reason().orElseThrow())
        .toList();
  }

  /** Nowhere is a URL lost to a refusal, a serving site closed, or a request too early. */
  private static SimResult worst(SimShape shape) {
    SimResult result = SimResult.worst(shape, PolicySettings.DEFAULTS, 1, SEEDS);
    assertThat(result.lost()).as(result.name()).isZero();
    assertThat(result.violations()).as(result.name()).isZero();
    assertThat(result.closings()).as(result.name()).isEmpty();
    return result;
  }
}
