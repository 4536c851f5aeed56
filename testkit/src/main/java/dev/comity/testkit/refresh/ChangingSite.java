package dev.comity.testkit.refresh;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The pages of a site and the times at which they change, in days. */
public final class ChangingSite {
  /** How long a site is looked at; the first third is for learning. */
  public static final double DAYS = 270;

  static final int TEMPLATES = 20;

  private final double[] rates;
  private final int[] templates;
  private final double[][] changes;

  private ChangingSite(double[] rates, int[] templates, double[][] changes) {
    this.rates = rates;
    this.templates = templates;
    this.changes = changes;
  }

  /** How changes are spread over pages and time. */
  public enum Habit {
    /**
     * A third never changes, the others around once a month, some daily, as measured on the web.
     */
    LOG_NORMAL,
    /** Archives that hardly change beside a few pages of news. */
    TWO_CLASSES,
    /** As the first, but a page changes several times within a day and then rests. */
    BURSTS
  }

  /** A site of so many pages. */
  public static ChangingSite of(Habit habit, int pages, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] rates = new double[pages];
    int[] templates = new int[pages];
    double[][] changes = new double[pages][];
    double[] shifts = new double[TEMPLATES];
    Arrays.setAll(shifts, _ -> random.nextGaussian());
    for (int page = 0; page < pages; page++) {
      templates[page] = random.nextInt(TEMPLATES);
      rates[page] = rate(habit, shifts[templates[page]], random);
      changes[page] = changes(habit, rates[page], random);
    }
    return new ChangingSite(rates, templates, changes);
  }

  private static double rate(Habit habit, double shift, SplittableRandom random) {
    if (habit == Habit.TWO_CLASSES) {
      return random.nextDouble() < 0.8 ? 1.0 / 200 : 1.0 / 3;
    }
    if (random.nextDouble() < 0.35) {
      return 0;
    }
    // Half of the spread is between templates: pages of one kind change alike.
    double spread = Math.sqrt(0.5) * (shift + random.nextGaussian());
    return Math.exp(1.8 * spread) / 30;
  }

  private static double[] changes(Habit habit, double rate, SplittableRandom random) {
    double[] times = new double[16];
    int count = 0;
    double at = 0;
    while (rate > 0) {
      at += exponential(rate, random);
      if (at >= DAYS) {
        break;
      }
      int burst = habit == Habit.BURSTS ? 1 + random.nextInt(6) : 1;
      double within = at;
      for (int each = 0; each < burst && within < DAYS; each++) {
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = within;
        within += random.nextDouble() / burst;
      }
    }
    double[] all = Arrays.copyOf(times, count);
    Arrays.sort(all);
    return all;
  }

  private static double exponential(double rate, SplittableRandom random) {
    return -Math.log1p(-random.nextDouble()) / rate;
  }

  int pages() {
    return rates.length;
  }

  /** The changes a day of a page; where changes come in bursts, the bursts a day. */
  double rate(int page) {
    return rates[page];
  }

  /** The number of a page's template. */
  int template(int page) {
    return templates[page];
  }

  /** The first change of a page after that time; the end of days without one. */
  double changeAfter(int page, double time) {
    double[] times = changes[page];
    int at = Arrays.binarySearch(times, time);
    int next = at < 0 ? -at - 1 : at + 1;
    return next < times.length ? times[next] : Double.MAX_VALUE;
  }
}
