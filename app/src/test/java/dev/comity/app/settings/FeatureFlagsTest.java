package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.settings.FeatureFlags.Work;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every combination of switches works, or is refused with the switch to set. */
class FeatureFlagsTest {

  static Stream<FeatureFlags> all() {
    return IntStream.range(0, 32)
        .mapToObj(
            bits ->
                new FeatureFlags(
                    (bits & 1) != 0,
                    (bits & 2) != 0,
                    (bits & 4) != 0,
                    (bits & 8) != 0,
                    (bits & 16) != 0));
  }

  /** The rules, one by one: each that is broken is a refusal. */
  private static boolean mayBegin(FeatureFlags flags, Work work, boolean server) {
    List<Boolean> broken = new ArrayList<>();
    // Workers meet in a database.
    broken.add(work == Work.WORKER && !server);
    // Without tracking a crawl keeps nothing: no run to join, no page to come back to.
    broken.add(work != Work.CRAWL && !flags.tracking());
    // Refresh is a phase of its own, and it claims exhausted domains.
    broken.add(work == Work.REFRESH && !flags.refresh());
    broken.add(work == Work.REFRESH && !flags.claims());
    // Where workers share what is kept, claims need priorities.
    boolean kept = flags.tracking();
    broken.add(server && kept && flags.claims() && !flags.scheduling());
    return !broken.contains(true);
  }

  @ParameterizedTest
  @MethodSource("all")
  void each_combination_works_or_is_refused_with_what_to_set(FeatureFlags flags) {
    for (Work work : Work.values()) {
      for (boolean server : List.of(false, true)) {
        assertThat(flags.refusal(work, server).isEmpty())
            .as("%s of %s on a server: %s", work, flags, server)
            .isEqualTo(mayBegin(flags, work, server));
        flags
            .refusal(work, server)
            .filter(_ -> server)
            .ifPresent(why -> assertThat(why).contains("ENABLE_").contains("to true"));
      }
    }
  }

  /** Counted by hand: budgets and refreshes never matter to a crawl or a worker. */
  @Test
  void of_thirty_two_combinations_so_many_work() {
    Map<Work, List<Long>> working = new EnumMap<>(Work.class);
    for (Work work : Work.values()) {
      working.put(
          work,
          Stream.of(false, true)
              .map(server -> all().filter(flags -> flags.refusal(work, server).isEmpty()).count())
              .toList());
    }
    assertThat(working)
        .isEqualTo(
            Map.of(
                Work.CRAWL, List.of(32L, 28L),
                Work.WORKER, List.of(0L, 12L),
                Work.REFRESH, List.of(4L, 2L)));
  }

  @Test
  void those_that_are_off_are_named() {
    assertThat(new FeatureFlags(true, true, true, true, true).off()).isEmpty();
    assertThat(new FeatureFlags(false, false, false, false, false).off())
        .containsExactly(
            "ENABLE_DOMAIN_TRACKING",
            "ENABLE_PER_DOMAIN_BUDGET",
            "ENABLE_SMART_SCHEDULING",
            "ENABLE_CLAIM_PROTOCOL",
            "ENABLE_REFRESH_MODE");
  }
}
