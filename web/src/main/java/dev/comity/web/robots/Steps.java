package dev.comity.web.robots;

/**
 * How far one URL has been compared with the patterns of a file. A file may have forty thousand
 * patterns with stars and a URL thousands of characters: hundreds of millions of steps for a single
 * answer. The bound is far above what any real file needs, which is some hundred thousand.
 */
final class Steps {
  static final int MOST = 10_000_000;

  private int taken;

  /** Counts these; there is no room for so many that the count would overflow. */
  void take(int more) {
    taken += more;
  }

  boolean areSpent() {
    return taken >= MOST;
  }

  int taken() {
    return taken;
  }
}
