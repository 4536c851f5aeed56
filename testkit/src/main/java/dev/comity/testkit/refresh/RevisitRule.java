package dev.comity.testkit.refresh;

/** A rule of when to come back to a page. Times and intervals are in days. */
interface RevisitRule {

  /** The interval after the first visit of a page. */
  double first(int page);

  /** The interval after a visit. */
  double next(int page, double now, double gap, boolean changed);

  /** The visits that may be made on a day; what is due beyond waits for the next. */
  default double mostOnDay() {
    return Double.MAX_VALUE;
  }

  /** What the site's sitemap says on a day: the pages that are due at once. */
  default int[] hinted(double now) {
    return NO_PAGES;
  }

  int[] NO_PAGES = {};

  /** Every page at the same interval. */
  static RevisitRule fixed(double interval) {
    return new RevisitRule() {
      @Override
      public double first(int page) {
        // Spread, so that the visits of a day are alike.
        return interval * (page % 97 + 1) / 97;
      }

      @Override
      public double next(int page, double now, double gap, boolean changed) {
        return interval;
      }
    };
  }

  /**
   * Intervals that grow where a page is unchanged and shrink where it changed, from an hour to
   * ninety days. StormCrawler grows by half and halves; Nutch grows by two fifths and shrinks by
   * one.
   */
  static RevisitRule steps(int pages, double growth, double shrinking) {
    double[] intervals = new double[pages];
    return new RevisitRule() {
      @Override
      public double first(int page) {
        intervals[page] = 14;
        return 14;
      }

      @Override
      public double next(int page, double now, double gap, boolean changed) {
        double next = intervals[page] * (changed ? shrinking : growth);
        intervals[page] = Math.clamp(next, 1.0 / 24, 90);
        return intervals[page];
      }
    };
  }
}
