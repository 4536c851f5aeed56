package dev.comity.core.schedule;

/**
 * What the pages of one domain bring in a run that collects images.
 *
 * @param pages pages that were read
 * @param found different images that they show
 * @param settled images of these that have their answer
 * @param taken images of these that were taken
 */
public record ImageYield(long pages, long found, long settled, long taken) {
  /** Nothing is known yet. */
  public static final ImageYield NONE = new ImageYield(0, 0, 0, 0);

  /** Images to expect: those without an answer are taken at the rate of the others. */
  public double images() {
    double rate = (taken + 1.0) / (settled + 1.0);
    return taken + Math.max(0, found - settled) * rate;
  }

  /**
   * Images for each page. One page of the run's average is added, so that a few pages alone decide
   * little.
   */
  public double perPage(double average) {
    return (images() + average) / (pages + 1);
  }

  /** Both together. */
  public ImageYield and(ImageYield other) {
    return new ImageYield(
        pages + other.pages, found + other.found, settled + other.settled, taken + other.taken);
  }
}
