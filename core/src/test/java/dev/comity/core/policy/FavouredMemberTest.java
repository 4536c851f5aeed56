package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.Evidence.Shown;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FavouredMemberTest {
  private static final DomainName A = new DomainName("a.test");
  private static final DomainName B = new DomainName("b.test");
  private static final DomainName C = new DomainName("c.test");
  private static final Set<DomainName> ALL = new LinkedHashSet<>(List.of(A, B, C));
  private static final LearnedDelay STEADY = group(1.03, 50, 0);

  private final FavouredMember favoured = new FavouredMember();

  @Test
  void the_first_trial_begins_after_fifty_successes_of_a_settled_group() {
    serve(49, STEADY);
    assertThat(favoured.in(ALL)).isEmpty();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).contains(B);
    assertThat(favoured.is(B)).isTrue();
    assertThat(favoured.is(A)).isFalse();
    assertThat(favoured.in(Set.of(A, C))).isEmpty();
  }

  @Test
  void no_trial_begins_while_the_group_is_unsettled() {
    serve(60, group(1.1, 50, 0)); // The bounds are a tenth apart.
    serve(1, group(1.03, 49, 0)); // The delay is not sure yet.
    serve(1, probing());
    serve(1, refusing());
    assertThat(favoured.in(ALL)).isEmpty();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).isPresent();
  }

  @Test
  void a_trial_ends_after_twenty_starts_and_the_next_takes_twice_as_long_to_come() {
    serve(50, STEADY);
    start(B, 19);
    start(A, 5);
    serve(1, STEADY);
    assertThat(favoured.is(B)).isTrue();
    start(B, 1);
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).isEmpty();
    serve(99, STEADY);
    assertThat(favoured.in(ALL)).isEmpty();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).contains(C);
    start(C, 20);
    serve(1, STEADY);
    serve(199, STEADY);
    assertThat(favoured.in(ALL)).isEmpty();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).contains(A);
  }

  @Test
  void a_trial_outlasts_twice_the_burst_of_each_member_but_not_two_hundred_starts() {
    assertThat(startsOfATrial(30)).isEqualTo(20);
    assertThat(startsOfATrial(33)).isEqualTo(22);
    assertThat(startsOfATrial(300)).isEqualTo(200);
    assertThat(startsOfATrial(600)).isEqualTo(200);
  }

  private static int startsOfATrial(int burst) {
    FavouredMember fresh = new FavouredMember();
    LearnedDelay group = group(1.03, 50, burst);
    for (int i = 0; i < 50; i++) {
      fresh.served(A, group, ALL);
    }
    int starts = 0;
    while (fresh.is(B)) {
      fresh.started(B);
      starts++;
      fresh.served(A, group, ALL);
    }
    return starts;
  }

  @Test
  void a_trial_ends_without_a_result_when_a_shorter_delay_is_tried() {
    serve(50, STEADY);
    serve(1, probing());
    assertThat(favoured.in(ALL)).isEmpty();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).contains(C); // And the next one may begin at once.
  }

  @Test
  void two_members_that_are_refused_while_favoured_have_limits_of_their_own() {
    serve(50, STEADY);
    assertThat(favoured.refused(B, STEADY)).isTrue();
    assertThat(favoured.in(ALL)).isEmpty();
    assertThat(favoured.isRefusedAlone()).isFalse();
    serve(1, STEADY);
    assertThat(favoured.in(ALL)).contains(C);
    assertThat(favoured.refused(C, STEADY)).isTrue();
    assertThat(favoured.isRefusedAlone()).isTrue();
  }

  @Test
  void a_trial_that_passes_in_between_begins_the_count_anew() {
    serve(50, STEADY);
    favoured.refused(B, STEADY);
    serve(1, STEADY);
    start(C, 20);
    serve(1, STEADY);
    serve(100, STEADY);
    assertThat(favoured.in(ALL)).contains(A);
    favoured.refused(A, STEADY);
    assertThat(favoured.isRefusedAlone()).isFalse();
  }

  @Test
  void a_member_refused_again_before_it_is_served_is_still_its_own_affair() {
    serve(50, STEADY);
    favoured.refused(B, STEADY);
    serve(1, STEADY);
    assertThat(favoured.refused(B, STEADY)).isTrue();
    assertThat(favoured.in(ALL)).contains(C); // The other trial goes on.
    favoured.served(B, STEADY, ALL);
    assertThat(favoured.refused(B, STEADY)).isFalse();
    assertThat(favoured.in(ALL)).isEmpty();
  }

  @Test
  void another_member_that_is_refused_is_the_groups_affair_and_ends_the_trial() {
    serve(50, STEADY);
    assertThat(favoured.refused(A, STEADY)).isFalse();
    assertThat(favoured.in(ALL)).isEmpty();
  }

  @Test
  void a_favoured_member_refused_while_the_group_is_unsteady_proves_nothing() {
    for (LearnedDelay unsteady : List.of(probing(), refusing())) {
      FavouredMember fresh = new FavouredMember();
      for (int i = 0; i < 50; i++) {
        fresh.served(A, STEADY, ALL);
      }
      assertThat(fresh.refused(B, unsteady)).isFalse();
      assertThat(fresh.in(ALL)).isEmpty();
    }
  }

  private void serve(int times, LearnedDelay group) {
    for (int i = 0; i < times; i++) {
      favoured.served(A, group, ALL);
    }
  }

  private void start(DomainName domain, int times) {
    for (int i = 0; i < times; i++) {
      favoured.started(domain);
    }
  }

  private static LearnedDelay probing() {
    return group(
        1.03, 50, 0, Optional.of(new Probe(seconds(1.03), false, false, 5, 0)), Optional.empty());
  }

  private static LearnedDelay refusing() {
    Incident incident =
        new Incident(1, seconds(1), seconds(1), START, START, 1, START, Duration.ZERO);
    return group(1.03, 50, 0, Optional.empty(), Optional.of(incident));
  }

  private static LearnedDelay group(double enough, int row, int burst) {
    return group(enough, row, burst, Optional.empty(), Optional.empty());
  }

  private static LearnedDelay group(
      double enough, int row, int burst, Optional<Probe> probe, Optional<Incident> incident) {
    Shown none = Evidence.NONE.shown();
    Shown shown =
        new Shown(
            0,
            0,
            0,
            burst,
            seconds(1),
            0,
            0,
            0,
            false,
            0,
            Duration.ZERO,
            0,
            none.closure(),
            none.noise());
    return new LearnedDelay(
        seconds(enough),
        Optional.of(seconds(1)),
        Optional.of(seconds(enough)),
        row,
        probe,
        incident,
        START,
        new Evidence(START, START, 0, shown));
  }
}
