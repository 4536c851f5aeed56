package dev.comity.testkit.refresh;

import dev.comity.core.schedule.RefreshRule;
import dev.comity.testkit.refresh.ChangingSite.Habit;
import dev.comity.testkit.refresh.ComityRule.Hints;
import dev.comity.testkit.refresh.RevisitedSite.Freshness;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Prints how fresh copies are by rule, for three habits of changing. Beside each result stands a
 * rule that knows every page's rate, and a fixed interval, with as many visits. Arguments: seed,
 * pages.
 */
public final class RefreshTable {
  private RefreshTable() {}

  /** A result with what two other rules reach with as many visits. */
  record Row(String rule, Freshness result, double oracle, double fixed) {
    double shareOfOracle() {
      return result.fresh() / oracle;
    }
  }

  /** Prints the table. */
  public static void main(String[] arguments) {
    long seed = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1;
    int pages = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4000;
    for (Habit habit : Habit.values()) {
      ChangingSite site = ChangingSite.of(habit, pages, seed);
      System.out.printf(
          "%n%-34s %8s %7s %7s %7s %7s %7s%n",
          habit, "visits/d", "fresh", "oracle", "fixed", "share", "found");
      for (double budget : new double[] {0.05, 0.1, 0.2}) {
        print(row("Comity, budget " + budget, site, comity(site, budget, Hints.NONE)));
      }
      print(row("Comity, 0.05, honest hints", site, comity(site, 0.05, Hints.HONEST)));
      print(row("Comity, 0.05, every page dated today", site, comity(site, 0.05, Hints.LYING)));
      print(row("fixed 14 d", site, RevisitedSite.of(site, RevisitRule.fixed(14))));
      print(
          row("Nutch +40 -20 %", site, RevisitedSite.of(site, RevisitRule.steps(pages, 1.4, 0.8))));
      Freshness storm = RevisitedSite.of(site, RevisitRule.steps(pages, 1.5, 0.5));
      print(row("StormCrawler x1.5, half", site, storm));
      System.out.printf(
          Locale.ROOT,
          "StormCrawler's visits for the same freshness: %.2f x%n",
          storm.visits() / visitsFor(site, storm.fresh()));
    }
  }

  static Freshness comity(ChangingSite site, double budget, Hints hints) {
    return RevisitedSite.of(site, new ComityRule(site, budget, hints));
  }

  static Row row(String name, ChangingSite site, Freshness result) {
    return new Row(name, result, oracle(site, result.visits()), fixed(site, result.visits()));
  }

  private static void print(Row row) {
    System.out.printf(
        Locale.ROOT,
        "%-34s %8.3f %6.1f%% %6.1f%% %6.1f%% %6.1f%% %6.1f%%%n",
        row.rule(),
        row.result().visits(),
        100 * row.result().fresh(),
        100 * row.oracle(),
        100 * row.fixed(),
        100 * row.shareOfOracle(),
        100 * row.result().found());
  }

  /** The freshness of a rule that knows all rates, with so many visits a page and day. */
  static double oracle(ChangingSite site, double visits) {
    return withVisits(visits, 1e-4, 80, price -> RevisitedSite.of(site, knowing(site, price)));
  }

  static double fixed(ChangingSite site, double visits) {
    return RevisitedSite.of(site, RevisitRule.fixed(1 / visits)).fresh();
  }

  /** The least visits a page and day with which copies are so fresh. */
  static double visitsFor(ChangingSite site, double fresh) {
    double few = 0.005;
    double many = 2;
    Freshness result = comity(site, many, Hints.NONE);
    for (int step = 0; step < 10; step++) {
      double middle = Math.sqrt(few * many);
      Freshness tried = comity(site, middle, Hints.NONE);
      if (tried.fresh() < fresh) {
        few = middle;
      } else {
        many = middle;
        result = tried;
      }
    }
    return result.visits();
  }

  /** The freshness at the price that leads to so many visits. */
  private static double withVisits(
      double visits, double low, double high, DoubleFunction<Freshness> atPrice) {
    double cheap = low;
    double dear = high;
    Freshness result = atPrice.apply(cheap);
    for (int step = 0; step < 12; step++) {
      double middle = Math.sqrt(cheap * dear);
      result = atPrice.apply(middle);
      if (result.visits() > visits) {
        cheap = middle;
      } else {
        dear = middle;
      }
    }
    return result.fresh();
  }

  private static RevisitRule knowing(ChangingSite site, double price) {
    return new RevisitRule() {
      @Override
      public double first(int page) {
        // Spread over the first interval: all pages were crawled on one day.
        return interval(page) * (page % 97 + 1) / 97;
      }

      @Override
      public double next(int page, double now, double gap, boolean changed) {
        return interval(page);
      }

      private double interval(int page) {
        double rate = site.rate(page);
        return rate == 0 || rate * price >= 1
            ? ChangingSite.DAYS
            : RefreshRule.DEFAULTS.interval(rate, price).toSeconds() / 86_400.0;
      }
    };
  }
}
