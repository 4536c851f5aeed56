package dev.comity.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.PolicySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the policy promises about limits a site really has. The table of all shapes takes minutes
 * ({@link SimTable}); here each family has a few, on two seeds of their own.
 */
class LimitsSimulation {
  private static final long SEED = 41;
  private static final int SEEDS = 2;

  /** What was simulated already: several tests ask about the same shape and the same seeds. */
  private static final Map<String, SimResult> WORST = new HashMap<>();

  @Test
  void a_bucket_of_any_room_is_used_to_95_percent_at_one_refusal_in_a_thousand() {
    for (SimShape shape : SimShape.buckets()) {
      steady(worst(shape));
    }
  }

  /** Four are the aim. At ten a second the burst is not sure, and some histories take five. */
  @Test
  void a_limit_is_settled_after_four_refusals() {
    List<SimShape> shapes = new ArrayList<>(SimShape.buckets());
    shapes.addAll(SimShape.intervals());
    shapes.addAll(SimShape.longIntervals());
    shapes.addAll(SimShape.withoutRobots());
    shapes.addAll(SimShape.shortWindows());
    shapes.addAll(SimShape.hours());
    for (SimShape shape : shapes) {
      SimTally.Settled settled = worst(shape).settled().orElseThrow();
      boolean hard = shape.name().contains("10/s");
      assertThat(settled.refusals()).as(shape.name()).isLessThanOrEqualTo(hard ? 5 : 4);
    }
  }

  /** The limit that most sites have, by default of the most common server. */
  @Test
  void a_bucket_of_two_a_second_refuses_three_of_the_first_thousand_requests() {
    SimShape shape = named("bucket 2/s, burst 1, no robots");
    DomainPolicy policy =
        new DomainPolicy(
            PolicySettings.DEFAULTS.with(
                PolicySettings.DEFAULTS.pace().withMinimum(shape.minimum())));
    for (long seed = SEED; seed < SEED + 10; seed++) {
      SimDomain domain =
          new SimDomain(policy, shape.server().get(), shape.limits(), 1_000, Simulation.START);
      Simulation simulation = new Simulation(List.of(domain), seed);
      Duration oracle = Duration.ofMillis(500);
      simulation.run(oracle.multipliedBy(1_000).multipliedBy(100).dividedBy(96));
      assertThat(domain.finished()).as("seed " + seed).isTrue();
      assertThat(domain.tally().refused()).as("seed " + seed).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void a_fast_limit_is_used_within_fifteen_seconds() {
    List<String> names = new ArrayList<>(List.of("one per 0.3 s", "one per 0.7 s"));
    for (int burst : new int[] {1, 2, 5, 10, 20, 50}) {
      names.add("bucket 2/s, burst " + burst);
    }
    for (String name : names) {
      SimTally.Settled settled = worst(named(name)).settled().orElseThrow();
      assertThat(settled.after()).as(name).isLessThanOrEqualTo(Duration.ofSeconds(15));
    }
  }

  @Test
  void a_gap_is_used_to_95_percent_at_one_refusal_in_a_thousand_behind_an_uneven_network_too() {
    for (SimShape shape : List.of(named("one per 0.7 s"), named("one per 3 s, +-10 %"))) {
      steady(worst(shape));
      steady(worst(shape.behind(new Network(Duration.ofMillis(15)))));
    }
  }

  @Test
  void a_limit_beyond_the_cap_is_learnt() {
    for (SimShape shape : SimShape.longIntervals()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.80);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.02);
    }
  }

  @Test
  void a_quota_by_the_clock_is_used_to_nine_tenths_whatever_its_length() {
    SimShape.shortWindows().forEach(shape -> steady(worst(shape)));
    for (SimShape shape : SimShape.hours()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.90);
      assertThat(result.refusedShare())
          .as(result.name())
          .isLessThanOrEqualTo(result.name().endsWith("says when") ? 0.002 : 0.01);
    }
    for (SimShape shape : SimShape.days()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.90);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.05);
    }
  }

  @Test
  void a_limit_that_is_announced_is_used_without_a_refusal() {
    for (SimShape shape : SimShape.announced()) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.95);
      assertThat(result.refused()).as(result.name()).isZero();
    }
  }

  @Test
  void a_limit_that_changes_is_noticed() {
    List<SimShape> shapes = new ArrayList<>(SimShape.changes());
    shapes.add(SimShape.night());
    shapes.addAll(SimShape.bans());
    for (SimShape shape : shapes) {
      SimResult result = worst(shape);
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.85);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.005);
    }
  }

  /** On seeds on which a limit four times as strict was once taken for noise for two hours. */
  @Test
  void a_limit_that_is_tightened_is_used_to_95_percent_behind_an_uneven_network() {
    SimShape shape = named("2/s, 0.5/s from noon").behind(new Network(Duration.ofMillis(15)));
    SimResult result = SimResult.worst(shape, PolicySettings.DEFAULTS, 61_001, 3);
    assertThat(result.share()).isGreaterThanOrEqualTo(0.95);
    assertThat(result.refusedShare()).isLessThanOrEqualTo(0.005);
  }

  @Test
  void refusals_for_no_reason_do_not_slow_the_crawl_down() {
    for (SimShape shape : SimShape.noises()) {
      assertThat(worst(shape).share()).as(shape.name()).isGreaterThanOrEqualTo(0.80);
    }
  }

  @Test
  void a_site_that_says_sixty_seconds_in_either_form_is_still_crawled() {
    for (SimShape shape : SimShape.sayingSixty()) {
      assertThat(worst(shape).share()).as(shape.name()).isGreaterThanOrEqualTo(0.80);
    }
  }

  @Test
  void a_limit_is_found_though_there_is_noise_on_top_of_it() {
    double[] noise = {0.01, 0.03};
    for (int i = 0; i < noise.length; i++) {
      SimResult result = worst(SimShape.noisyLimits().get(i));
      assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.85);
      assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(noise[i] + 0.005);
    }
  }

  /** On a seed on which four refusals by chance, one after the other, led to 204 seconds. */
  @Test
  void a_delay_of_minutes_that_noise_has_taught_is_left_again_within_hours() {
    SimShape shape = named("one per 1.5 s, 3 % noise").behind(new Network(Duration.ofMillis(2)));
    SimResult result = SimResult.of(shape, PolicySettings.DEFAULTS, 83_002);
    assertThat(result.share()).isGreaterThanOrEqualTo(0.85);
    assertThat(result.refusedShare()).isLessThanOrEqualTo(0.035);
  }

  @Test
  void domains_behind_one_limit_use_nine_tenths_of_it_in_sum_at_one_refusal_in_two_hundred() {
    for (SimShape shape : SimNeighbours.sharing()) {
      SimResult shared = worst(shape);
      assertThat(shared.share()).as(shared.name()).isGreaterThanOrEqualTo(0.90);
      assertThat(shared.refusedShare()).as(shared.name()).isLessThanOrEqualTo(0.005);
    }
  }

  @Test
  void domains_at_one_address_with_a_limit_each_lose_two_points_at_most_by_being_neighbours() {
    for (SimShape shape : SimNeighbours.apart()) {
      SimResult unknown = SimResult.of(SimNeighbours.unknown(shape), PolicySettings.DEFAULTS, SEED);
      SimResult known = SimResult.of(shape, PolicySettings.DEFAULTS, SEED);
      assertThat(known.share()).as(known.name()).isGreaterThanOrEqualTo(unknown.share() - 0.02);
    }
  }

  private static SimShape named(String name) {
    return SimTable.shapes().stream()
        .filter(shape -> shape.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void steady(SimResult result) {
    assertThat(result.share()).as(result.name()).isGreaterThanOrEqualTo(0.95);
    assertThat(result.refusedShare()).as(result.name()).isLessThanOrEqualTo(0.001);
  }

  @Test
  void what_fails_is_closed_and_what_is_merely_slow_or_shaky_is_not() {
    List<SimShape> unwell = SimShape.unwell();
    assertThat(closings(unwell.get(0))).containsOnly(CloseReason.SERVER_ERRORS);
    assertThat(closings(unwell.get(1))).isEmpty();
    assertThat(closings(unwell.get(2))).isEmpty();
    assertThat(closings(unwell.get(3))).containsOnly(CloseReason.TIMEOUT);
    assertThat(closings(unwell.get(4))).isEmpty();
    assertThat(SimResult.of(unwell.get(2), PolicySettings.DEFAULTS, 1).share())
        .isGreaterThanOrEqualTo(0.99);
    assertThat(SimResult.of(unwell.get(4), PolicySettings.DEFAULTS, 1).share())
        .isGreaterThanOrEqualTo(0.99);
  }

  private static List<CloseReason> closings(SimShape shape) {
    return SimResult.of(shape, PolicySettings.DEFAULTS, 1).closings().stream()
        .map(standing -> standing.reason().orElseThrow())
        .toList();
  }

  /** Nowhere is a URL lost to a refusal, a serving site closed, or a request too early. */
  private static SimResult worst(SimShape shape) {
    SimResult result =
        WORST.computeIfAbsent(
            shape.name() + " behind " + shape.network(),
            _ -> SimResult.worst(shape, PolicySettings.DEFAULTS, SEED, SEEDS));
    assertThat(result.lost()).as(result.name()).isZero();
    assertThat(result.violations()).as(result.name()).isZero();
    assertThat(result.closings()).as(result.name()).isEmpty();
    return result;
  }
}
