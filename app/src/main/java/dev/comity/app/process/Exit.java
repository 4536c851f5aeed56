package dev.comity.app.process;

import java.util.LinkedHashMap;
import java.util.Map;

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

  /** The codes of a command that has none of its own, with their meaning. */
  public static Map<String, String> usual() {
    Map<String, String> codes = new LinkedHashMap<>();
    codes.put(Integer.toString(DONE), "done");
    codes.put(Integer.toString(FAILED), "the answer could not be written");
    codes.put(Integer.toString(USAGE), "invalid command line or setting; nothing was changed");
    codes.put(Integer.toString(NO_STORE), "the data directory cannot be used");
    return codes;
  }
}
