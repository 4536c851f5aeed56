package dev.comity.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.url.Grouping;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void when_nothing_is_said_this_holds() {
    Settings usual = Settings.DEFAULT;
    assertThat(usual.contact()).isEmpty();
    assertThat(usual.minimumInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(usual.policy()).isEqualTo(PolicySettings.DEFAULTS);
    assertThat(usual.limits()).isEqualTo(CrawlLimits.DEFAULTS);
    assertThat(usual.limits().maxPages()).isEqualTo(1000);
    assertThat(usual.limits().maxPagesPerDomain()).isEqualTo(1000);
    assertThat(usual.reach())
        .isEqualTo(
            new Settings.Bounds(
                Reach.SEEDS,
                Grouping.BY_HOST,
                Integer.MAX_VALUE,
                List.of(),
                List.of(),
                DroppedParameters.NONE));
    assertThat(usual.sitemaps() && usual.smart()).isTrue();
    assertThat(usual.domains()).isEmpty();
  }

  @Test
  void a_negative_depth_is_refused_and_0_is_not() {
    assertThat(bounds(0).maxDepth()).isZero();
    assertThatThrownBy(() -> bounds(-1))
        .isInstanceOf(WrongSetting.class)
        .hasMessage("max-depth is -1, but must be at least 0; 0 crawls the seeds alone");
  }

  private static Settings.Bounds bounds(int depth) {
    return new Settings.Bounds(
        Reach.SEEDS, Grouping.BY_HOST, depth, List.of(), List.of(), DroppedParameters.NONE);
  }

  @Test
  void other_paces_and_budgets_leave_the_rest_as_it_is() {
    Settings other = Settings.DEFAULT.withMinimumInterval(Duration.ZERO).withMaxPagesPerDomain(7);
    assertThat(other.minimumInterval()).isZero();
    assertThat(other.limits()).isEqualTo(CrawlLimits.DEFAULTS.withPages(1000, 7));
    assertThat(other.withMinimumInterval(Duration.ofSeconds(1)).withMaxPagesPerDomain(1000))
        .isEqualTo(Settings.DEFAULT);
  }
}
