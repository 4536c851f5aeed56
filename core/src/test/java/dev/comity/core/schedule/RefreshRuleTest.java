package dev.comity.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefreshRuleTest {
  private static final RefreshRule RULE = RefreshRule.DEFAULTS;
  private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

  @Test
  void a_page_of_which_nothing_is_known_changes_once_in_a_fortnight() {
    assertThat(ChangeRate.perDay(ChangeHistory.NONE)).isCloseTo(1.0 / 14, within(1e-6));
  }

  @Test
  void a_page_that_is_always_the_same_seems_slower_with_every_visit() {
    double rate = 1;
    ChangeHistory seen = ChangeHistory.NONE;
    for (int visit = 0; visit < 5; visit++) {
      seen = seen.visited(Duration.ofDays(14), false);
      assertThat(ChangeRate.perDay(seen)).isLessThan(rate);
      rate = ChangeRate.perDay(seen);
    }
    // Half a change in 73 days: five gaps that fade, and the prior's week.
    assertThat(rate).isCloseTo(0.5 / (14 * (1 - Math.pow(0.97, 5)) / 0.03 + 7), within(1e-6));
  }

  @Test
  void a_rate_is_the_root_of_its_equation() {
    ChangeHistory seen = new ChangeHistory(20, 3, 12, 2);
    double rate = ChangeRate.perDay(seen, 0.1);
    assertThat(2.5 / rate + 12 / Math.expm1(4 * rate) - 20 - 5).isCloseTo(0, within(1e-3));
  }

  @Test
  void a_change_with_a_date_says_that_the_days_before_it_were_without() {
    ChangeHistory found = ChangeHistory.NONE.visited(Duration.ofDays(10), true);
    ChangeHistory hinted = ChangeHistory.NONE.visitedAfterChange(Duration.ofDays(10));
    assertThat(ChangeRate.perDay(hinted)).isCloseTo(1.5 / 17, within(1e-6));
    assertThat(ChangeRate.perDay(found)).isGreaterThan(ChangeRate.perDay(hinted));
  }

  @Test
  void a_new_page_is_taken_for_one_of_its_template_and_its_own_visits_outweigh_that() {
    ChangeHistory none = ChangeHistory.NONE;
    assertThat(ChangeRate.perDay(none, 0.5)).isCloseTo(0.5, within(1e-6));
    ChangeHistory still = none.visited(Duration.ofDays(20), false);
    assertThat(ChangeRate.perDay(still, 0.5)).isCloseTo(0.5 / 21, within(1e-6));
  }

  @Test
  void two_visits_in_one_second_tell_nothing_that_breaks_a_sum() {
    ChangeHistory seen = ChangeHistory.NONE.visited(Duration.ZERO, true);
    assertThat(seen.changedDays()).isEqualTo(1.0 / 86_400);
    assertThat(ChangeRate.perDay(seen)).isPositive().isFinite();
  }

  @Test
  void sums_below_zero_and_without_end_are_refused() {
    assertThatThrownBy(() -> new ChangeHistory(-1, 0, 0, 0))
        .hasMessage("a history of changes has finite sums from 0 on, not -1.0, 0.0, 0.0 and 0.0");
    assertThatThrownBy(() -> new ChangeHistory(0, 0, 0, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ChangeHistory(Double.POSITIVE_INFINITY, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_page_is_due_when_a_visit_gains_its_price() {
    Duration interval = RULE.interval(1.0 / 30, 1);
    assertThat(RefreshRule.gain(1.0 / 30, ChangeHistory.days(interval))).isCloseTo(1, within(1e-4));
    assertThat(interval).isEqualTo(Duration.ofSeconds(204 * 3600 + 5 * 60 + 41));
    assertThat(RULE.interval(1.0 / 30, 2)).isGreaterThan(interval);
  }

  @Test
  void a_page_that_changes_too_often_for_its_price_has_the_longest_interval() {
    assertThat(RULE.interval(2, 0.5)).isEqualTo(Duration.ofDays(90));
    assertThat(RULE.interval(2, 0.49)).isLessThan(Duration.ofDays(4));
    assertThat(RefreshRule.isWorth(2, 0.5)).isFalse();
    assertThat(RefreshRule.isWorth(2, 0.49)).isTrue();
  }

  @Test
  void no_interval_is_shorter_than_an_hour_or_longer_than_ninety_days() {
    assertThat(RULE.interval(1, 1e-6)).isEqualTo(Duration.ofHours(1));
    assertThat(RULE.interval(1e-4, 1)).isEqualTo(Duration.ofDays(90));
  }

  @Test
  void a_gain_is_exact_where_changes_are_rare() {
    double rate = 1e-4;
    // The series to its third term, which the product leaves out.
    assertThat(RefreshRule.gain(rate, 9.9))
        .isCloseTo(rate * 9.9 * 9.9 / 2 - rate * rate * Math.pow(9.9, 3) / 3, within(1e-12));
    assertThat(RefreshRule.gain(rate, 10.1) - RefreshRule.gain(rate, 9.9)).isPositive();
  }

  @Test
  void an_answer_that_stays_fresh_for_longer_is_left_alone_as_long() {
    Duration day = Duration.ofDays(1);
    assertThat(RULE.due(NOW, day, Optional.empty())).isEqualTo(NOW.plus(day));
    assertThat(RULE.due(NOW, day, Optional.of(Duration.ofHours(1)))).isEqualTo(NOW.plus(day));
    assertThat(RULE.due(NOW, day, Optional.of(Duration.ofDays(3))))
        .isEqualTo(NOW.plus(Duration.ofDays(3)));
    assertThat(RULE.due(NOW, day, Optional.of(Duration.ofDays(3650))))
        .isEqualTo(NOW.plus(Duration.ofDays(90)));
  }

  @Test
  void the_chance_of_a_change_grows_with_the_gap() {
    assertThat(RefreshRule.changed(0.1, Duration.ofDays(10)))
        .isCloseTo(1 - Math.exp(-1), within(1e-9));
    assertThat(RefreshRule.changed(0.1, Duration.ZERO)).isZero();
  }

  @Test
  void the_price_takes_a_step_a_day_towards_the_budget() {
    RefreshPrice price = RefreshPrice.first(NOW);
    assertThat(price.at(NOW.plus(Duration.ofHours(23)), 50, 20)).isEqualTo(price);
    RefreshPrice dearer = price.at(NOW.plus(Duration.ofHours(25)), 50, 20);
    assertThat(dearer.days()).isCloseTo(1.1, within(1e-9));
    assertThat(dearer.setAt()).isEqualTo(NOW.plus(Duration.ofDays(1)));
    assertThat(dearer.at(NOW.plus(Duration.ofDays(40)), 20, 20).days()).isCloseTo(1, within(1e-9));
  }

  @Test
  void a_price_has_a_least_and_a_most() {
    RefreshPrice cheap = new RefreshPrice(0.01, NOW).at(NOW.plus(Duration.ofDays(1)), 0, 20);
    RefreshPrice dear = new RefreshPrice(45, NOW).at(NOW.plus(Duration.ofDays(1)), 99, 20);
    assertThat(cheap.days()).isEqualTo(0.01);
    assertThat(dear.days()).isEqualTo(45);
  }

  @Test
  void a_domain_gets_twenty_visits_a_day_and_one_for_a_hundred_pages() {
    assertThat(RefreshPrice.budget(0)).isEqualTo(20);
    assertThat(RefreshPrice.budget(1000)).isEqualTo(30);
  }

  @Test
  void hints_that_tell_no_more_than_chance_are_not_followed_after_ten() {
    HintTrust trust = HintTrust.UNKNOWN;
    assertThat(trust.trust()).isEqualTo(0.5);
    for (int visit = 0; visit < 10; visit++) {
      trust = trust.visited(visit % 5 == 0, 0.2);
    }
    assertThat(trust.trust()).isCloseTo(0.1, within(1e-9));
    assertThat(trust.isTrusted()).isFalse();
    assertThat(trust.mayTry(0)).isZero();
  }

  @Test
  void hints_that_are_right_are_trusted_however_seldom_pages_change() {
    HintTrust trust = HintTrust.UNKNOWN;
    for (int visit = 0; visit < 10; visit++) {
      trust = trust.visited(true, 0.01);
    }
    assertThat(trust.trust()).isGreaterThan(0.9);
  }

  @Test
  void only_as_many_hints_are_tried_as_were_judged_before() {
    assertThat(HintTrust.UNKNOWN.mayTry(4)).isEqualTo(6);
    assertThat(HintTrust.UNKNOWN.mayTry(11)).isZero();
    assertThat(new HintTrust(40, 40, 10).mayTry(3)).isEqualTo(37);
  }

  @Test
  void a_site_that_mends_its_dates_is_believed_again() {
    HintTrust trust = new HintTrust(200, 40, 40);
    assertThat(trust.isTrusted()).isFalse();
    for (int visit = 0; visit < 120; visit++) {
      trust = trust.visited(true, 0.2);
    }
    assertThat(trust.isTrusted()).isTrue();
    assertThat(trust.alarms()).isLessThanOrEqualTo(201);
  }
}
