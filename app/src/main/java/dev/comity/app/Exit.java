package dev.comity.app;

/**
 * What the process says when it ends. Told to end by a signal, it says 128 plus the signal, as the
 * shell expects.
 */
final class Exit {
  static final int DONE = 0;

  /** Nothing was crawled, or the crawl could not go on. */
  static final int FAILED = 1;

  /** The command line or a setting makes no sense. */
  static final int USAGE = 2;

  /** What is left may not be asked for a long time. */
  static final int PARKED = 4;

  /** The data directory cannot be used: taken, not writable, damaged, of a newer version. */
  static final int NO_STORE = 5;

  /** All went well, but some lines of a seed file are no seeds. 3 is the launcher's own. */
  static final int BAD_LINES = 6;

  private Exit() {}
}
