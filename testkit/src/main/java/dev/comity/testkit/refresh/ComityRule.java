package dev.comity.testkit.refresh;

import dev.comity.core.schedule.ChangeHistory;
import dev.comity.core.schedule.ChangeRate;
import dev.comity.core.schedule.HintTrust;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.core.schedule.RefreshRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The product's own rule, with the price and the trust of one domain. */
final class ComityRule implements RevisitRule {
  private static final RefreshRule RULE = RefreshRule.DEFAULTS;

  /**
   * What is due beyond this waits: a site that was crawled in a day is not asked in a day again.
   */
  private static final double MOST_OVER_BUDGET = 2;

  /** What the site's sitemap says of changes. */
  enum Hints {
    NONE,
    /** Half of the pages: four in five changes are dated, and twice a year one that was none. */
    HONEST,
    /** Every page was changed today. */
    LYING
  }

  private final ChangingSite site;
  private final double budget;
  private final Hints hints;
  private final SplittableRandom random = new SplittableRandom(7);
  private final ChangeHistory[] histories;
  private final ChangeHistory[] templates = new ChangeHistory[ChangingSite.TEMPLATES];
  private final double[] rates;
  private final double[] intervals;
  private final double[] visitedAt;
  private final boolean[] alarmed;

  /** Whether the alarm has made the page due. */
  private final boolean[] followed;

  private double asked;
  private RefreshPrice price = RefreshPrice.first(Instant.EPOCH);
  private HintTrust trust = HintTrust.UNKNOWN;
  private long outstanding;
  private long hintedToday;

  /**
   * @param budget visits a page and day
   */
  ComityRule(ChangingSite site, double budget, Hints hints) {
    this.site = site;
    this.budget = budget * site.pages();
    this.hints = hints;
    histories = new ChangeHistory[site.pages()];
    Arrays.fill(histories, ChangeHistory.NONE);
    Arrays.fill(templates, ChangeHistory.NONE);
    rates = new double[site.pages()];
    Arrays.fill(rates, ChangeRate.UNKNOWN);
    intervals = new double[site.pages()];
    visitedAt = new double[site.pages()];
    alarmed = new boolean[site.pages()];
    followed = new boolean[site.pages()];
  }

  HintTrust trust() {
    return trust;
  }

  @Override
  public double first(int page) {
    intervals[page] = RULE.first().toSeconds() / 86_400.0;
    asked += 1 / intervals[page];
    return intervals[page];
  }

  @Override
  public double mostOnDay() {
    return MOST_OVER_BUDGET * budget;
  }

  @Override
  public double next(int page, double now, double gap, boolean changed) {
    Duration since = Duration.ofSeconds(Math.round(gap * 86_400));
    boolean hinted = alarmed[page];
    if (hinted) {
      alarmed[page] = false;
      outstanding -= followed[page] ? 1 : 0;
      trust = trust.visited(changed, RefreshRule.changed(rates[page], since));
    }
    boolean dated = followed[page] && changed && trust.trust() >= 0.5;
    followed[page] = false;
    histories[page] = seen(histories[page], since, changed, dated);
    int template = site.template(page);
    templates[template] = templates[template].and(seen(ChangeHistory.NONE, since, changed, dated));
    rates[page] = ChangeRate.perDay(histories[page], ChangeRate.perDay(templates[template]));
    price = price.at(Instant.ofEpochSecond(Math.round(now * 86_400)), asked + hintedToday, budget);
    asked -= 1 / intervals[page];
    intervals[page] = RULE.interval(rates[page], price.days()).toSeconds() / 86_400.0;
    asked += 1 / intervals[page];
    visitedAt[page] = now;
    return intervals[page];
  }

  private static ChangeHistory seen(
      ChangeHistory before, Duration gap, boolean changed, boolean dated) {
    return dated ? before.visitedAfterChange(gap) : before.visited(gap, changed);
  }

  @Override
  public int[] hinted(double now) {
    if (hints == Hints.NONE) {
      return NO_PAGES;
    }
    int[] pages = new int[site.pages()];
    int count = 0;
    for (int page = 0; page < site.pages(); page++) {
      if (alarmed[page] || !says(page, now)) {
        continue;
      }
      alarmed[page] = true;
      if (RefreshRule.isWorth(rates[page], price.days()) && trust.mayTry(outstanding) > 0) {
        followed[page] = true;
        outstanding++;
        pages[count++] = page;
      }
    }
    hintedToday = count;
    return Arrays.copyOf(pages, count);
  }

  private boolean says(int page, double now) {
    if (hints == Hints.LYING) {
      return true;
    }
    double changedAt = site.changeAfter(page, Math.max(visitedAt[page], now - 1));
    double probability = changedAt <= now ? 0.8 : 1.0 / 180;
    return page % 2 == 0 && random.nextDouble() < probability;
  }
}
