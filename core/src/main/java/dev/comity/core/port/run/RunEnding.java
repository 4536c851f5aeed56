package dev.comity.core.port.run;

/** How a process leaves its run. */
public enum RunEnding {
  /** Every URL in reach is settled. */
  FINISHED(true, "everything in reach is settled"),
  /** Its pages are spent; the frontiers stay for the next run. */
  OUT_OF_BUDGET(true, "the page budget is spent"),
  /** Its images are spent and its pages are settled; images that were found are left. */
  OUT_OF_IMAGES(true, "the image budget is spent"),
  /** The URLs left may not be fetched for long; a later process continues the run. */
  PARKED(false, "what is left may not be asked yet"),
  /** The operator has paused all that is left; a later process continues the run. */
  PAUSED(false, "what is left is paused by the operator"),
  /** Its time is over; the next process continues the run. */
  OUT_OF_TIME(false, "the time it was given is over"),
  /** It was stopped; the next process continues the run. */
  STOPPED(false, "stopped");

  private final boolean ended;
  private final String words;

  RunEnding(boolean ended, String words) {
    this.ended = ended;
    this.words = words;
  }

  /** Whether the run is over, so that the same terms begin a new one. */
  public boolean ended() {
    return ended;
  }

  /** The ending in words. */
  public String words() {
    return words;
  }
}
