package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.settings.FeatureFlags.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every combination of switches works, or is refused with the switch to set. */
class FeatureFlagsTest {

  private static List<FeatureFlags> all() {
    List<FeatureFlags> all = new ArrayList<>();
    for (int bits = 0; bits < 32; bits++) {
      all.add(
          new FeatureFlags(
              (bits & 1) != 0,
              (bits & 2) != 0,
              (bits & 4) != 0,
              (bits & 8) != 0,
              (bits & 16) != 0));
    }
    return all;
  }

  @Test
  void a_crawl_in_a_data_directory_takes_every_combination() {
    assertThat(all()).hasSize(32);
    assertThat(all()).allMatch(flags -> flags.refusal(Work.CRAWL, false).isEmpty());
  }

  @Test
  void on_a_server_a_crawl_needs_claims_and_priorities_unless_nothing_is_kept() {
    for (FeatureFlags flags : all()) {
      boolean works = !flags.tracking() || (flags.claims() && flags.scheduling());
      assertThat(flags.refusal(Work.CRAWL, true).isEmpty()).as("%s", flags).isEqualTo(works);
    }
  }

  @Test
  void a_worker_needs_all_that_is_shared() {
    for (FeatureFlags flags : all()) {
      boolean works = flags.tracking() && flags.claims() && flags.scheduling();
      assertThat(flags.refusal(Work.WORKER, true).isEmpty()).as("%s", flags).isEqualTo(works);
    }
  }

  @Test
  void a_refresh_needs_claims_and_its_own_switch() {
    for (FeatureFlags flags : all()) {
      boolean works = flags.refresh() && flags.claims();
      assertThat(flags.refusal(Work.REFRESH, false).isEmpty()).as("%s", flags).isEqualTo(works);
    }
  }

  @Test
  void every_refusal_names_what_to_set() {
    for (FeatureFlags flags : all()) {
      for (Work work : Work.values()) {
        flags.refusal(work, true).ifPresent(why -> assertThat(why).contains("set it to true"));
      }
    }
  }

  @Test
  void what_the_environment_does_not_say_is_on() {
    assertThat(FeatureFlags.of(Map.of(), true, true, true))
        .isEqualTo(new FeatureFlags(true, true, true, true, true));
    assertThat(FeatureFlags.of(Map.of("ENABLE_CLAIM_PROTOCOL", "false"), true, true, true).claims())
        .isFalse();
  }
}
