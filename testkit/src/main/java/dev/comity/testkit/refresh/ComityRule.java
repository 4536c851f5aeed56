package dev.comity.testkit.refresh;

import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.HintTrust;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageSeen;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.RefreshRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/** The product's own rule, with what one domain teaches. */
final class ComityRule implements RevisitRule {
  private static final RefreshDates DATES = RefreshDates.ADAPTIVE;

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
  private final PageVisits[] visits;

  /** Stands for the text of each page. */
  private final long[] texts;

  private final double[] intervals;
  private DomainRefresh domain = DomainRefresh.first(Instant.EPOCH);
  private double asked;
  private long outstanding;
  private long hintedToday;

  /**
   * @param budget visits a page and day
   */
  ComityRule(ChangingSite site, double budget, Hints hints) {
    this.site = site;
    this.budget = budget * site.pages();
    this.hints = hints;
    visits = new PageVisits[site.pages()];
    texts = new long[site.pages()];
    intervals = new double[site.pages()];
  }

  HintTrust trust() {
    return domain.trust();
  }

  @Override
  public double first(int page) {
    NextLook look = DATES.first(visit(0, 0), domain);
    visits[page] = look.visits();
    intervals[page] = days(RefreshRule.DEFAULTS.first());
    asked += 1 / intervals[page];
    return intervals[page];
  }

  @Override
  public double mostOnDay() {
    return MOST_OVER_BUDGET * budget;
  }

  @Override
  public double next(int page, double now, double gap, boolean changed) {
    outstanding -= visits[page].hint() == PageVisits.Hint.FOLLOWED ? 1 : 0;
    texts[page] += changed ? 1 : 0;
    domain = domain.begun(at(now), asked + hintedToday, budget);
    NextLook look = DATES.again(visits[page], template(page), visit(now, texts[page]), domain);
    visits[page] = look.visits();
    domain = look.domain();
    asked -= 1 / intervals[page];
    intervals[page] = days(Duration.between(at(now), look.due().orElseThrow()));
    asked += 1 / intervals[page];
    return intervals[page];
  }

  private static RefreshDates.Visit visit(double now, long text) {
    return new RefreshDates.Visit(
        at(now),
        new PageSeen.SeenText(text),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        RefreshDates.Subject.PAGE);
  }

  private static Instant at(double day) {
    return Instant.ofEpochSecond(Math.round(day * 86_400));
  }

  private static double days(Duration duration) {
    return duration.toSeconds() / 86_400.0;
  }

  private String template(int page) {
    return "/" + site.template(page) + "/#";
  }

  @Override
  public int[] hinted(double now) {
    if (hints == Hints.NONE) {
      return NO_PAGES;
    }
    int[] pages = new int[site.pages()];
    int count = 0;
    for (int page = 0; page < site.pages(); page++) {
      if (visits[page].hint() != PageVisits.Hint.NONE || !says(page, now)) {
        continue;
      }
      PageVisits.Hint heeded = domain.heeds(visits[page], template(page), at(now), outstanding);
      visits[page] = visits[page].hinted(heeded);
      if (heeded == PageVisits.Hint.FOLLOWED) {
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
    double visited = visits[page].at().getEpochSecond() / 86_400.0;
    double changedAt = site.changeAfter(page, Math.max(visited, now - 1));
    double probability = changedAt <= now ? 0.8 : 1.0 / 180;
    return page % 2 == 0 && random.nextDouble() < probability;
  }
}
