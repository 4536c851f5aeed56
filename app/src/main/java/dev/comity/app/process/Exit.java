package dev.comity.app.process;

/**
 * What the process says when it ends. Told to end by a signal, it says 128 plus the signal, as the
 * shell expects.
 */
public final class Exit {
  public static final int DONE = 0;

  /** Nothing was crawled, or the crawl could not go on. */
  public static final int FAILED = 1;

  /** Invalid command line or setting. */
  static final int USAGE = 2;

  /** What is left may not be asked for a long time, or is paused by the operator. */
  public static final int PARKED = 4;

  /** The data directory cannot be used: taken, not writable, damaged, of a newer version. */
  static final int NO_STORE = 5;

  /** All went well, but some lines of a seed file are no seeds. 3 is the launcher's own. */
  public static final int BAD_LINES = 6;

  private Exit() {}
}
