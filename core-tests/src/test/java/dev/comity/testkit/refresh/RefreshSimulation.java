package dev.comity.testkit.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.refresh.ChangingSite.Habit;
import dev.comity.testkit.refresh.ComityRule.Hints;
import dev.comity.testkit.refresh.RefreshTable.Row;
import dev.comity.testkit.refresh.RevisitedSite.Freshness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How fresh copies are, against rules that know more and rules in use elsewhere. */
class RefreshSimulation {
  private static final int PAGES = 500;
  private static final long SEED = Long.getLong("comity.seed", 11);

  @ParameterizedTest
  @EnumSource(Habit.class)
  void copies_are_nearly_as_fresh_as_those_of_a_rule_that_knows_every_rate(Habit habit) {
    ChangingSite site = ChangingSite.of(habit, PAGES, SEED);
    for (double budget : new double[] {0.05, 0.1, 0.2}) {
      Row row = RefreshTable.row("", site, RefreshTable.comity(site, budget, Hints.NONE));
      assertThat(row.shareOfOracle()).as("%s at %s", habit, budget).isGreaterThan(0.95);
      assertThat(row.result().fresh()).as("%s at %s", habit, budget).isGreaterThan(row.fixed());
      assertThat(row.result().visits()).as("%s at %s", habit, budget).isLessThan(1.1 * budget);
    }
  }

  @ParameterizedTest
  @EnumSource(Habit.class)
  void stepping_intervals_need_many_more_visits_for_the_same_freshness(Habit habit) {
    ChangingSite site = ChangingSite.of(habit, PAGES, SEED);
    Freshness steps = RevisitedSite.of(site, RevisitRule.steps(PAGES, 1.5, 0.5));
    assertThat(steps.visits() / RefreshTable.visitsFor(site, steps.fresh())).isGreaterThan(1.6);
  }

  @ParameterizedTest
  @EnumSource(Habit.class)
  void a_site_that_dates_every_page_today_is_hardly_visited_more_often(Habit habit) {
    ChangingSite site = ChangingSite.of(habit, PAGES, SEED);
    for (double budget : new double[] {0.05, 0.1, 0.2}) {
      double silent = RefreshTable.comity(site, budget, Hints.NONE).visits();
      ComityRule rule = new ComityRule(site, budget, Hints.LYING);
      assertThat(RevisitedSite.of(site, rule).visits())
          .as("%s at %s", habit, budget)
          .isLessThan(1.02 * silent);
      assertThat(rule.trust().isTrusted()).isFalse();
    }
  }

  @Test
  void a_site_that_dates_its_changes_has_fresher_copies_with_fewer_visits() {
    ChangingSite site = ChangingSite.of(Habit.TWO_CLASSES, PAGES, SEED);
    Freshness silent = RefreshTable.comity(site, 0.1, Hints.NONE);
    Freshness dated = RefreshTable.comity(site, 0.1, Hints.HONEST);
    assertThat(dated.fresh()).isGreaterThan(silent.fresh());
    assertThat(dated.visits()).isLessThan(silent.visits());
    assertThat(dated.found()).isGreaterThan(1.2 * silent.found());
  }
}
