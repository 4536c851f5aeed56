package dev.comity.core.trap;

/**
 * Hashes of short texts, evenly distributed in every bit. They are stored, so they never change.
 */
final class Hashes {
  private static final long FNV = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** What {@link #inWord} says of the signs that nearly every text is made of. */
  private static final char[] ASCII = new char[128];

  static {
    for (char c = 0; c < ASCII.length; c++) {
      ASCII[c] = read(c);
    }
  }

  private Hashes() {}

  static long of(String text, int to) {
    long hash = FNV;
    for (int i = 0; i < to; i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return mixed(hash);
  }

  static long of(String text) {
    return of(text, text.length());
  }

  /**
   * Adds the hash of each word, in lower case. A word has two letters at least: numbers, which
   * calendars and counters differ in, are none; but a name with a number in it is one.
   */
  static void words(String text, int to, LongSet words) {
    long hash = FNV;
    int letters = 0;
    for (int i = 0; i < to; i++) {
      char c = inWord(text.charAt(i));
      if (c != 0) {
        letters += isLetter(c) ? 1 : 0;
        hash = (hash ^ c) * PRIME;
        continue;
      }
      if (letters > 1) {
        words.add(mixed(hash));
      }
      letters = 0;
      hash = FNV;
    }
    if (letters > 1) {
      words.add(mixed(hash));
    }
  }

  /** The sign in lower case, or 0 where it ends a word. */
  private static char inWord(char c) {
    return c < 128 ? ASCII[c] : read(c);
  }

  private static char read(char c) {
    char lower = lower(c);
    return isLetter(lower) || isDigit(lower) ? lower : 0;
  }

  private static char lower(char c) {
    return c < 128 ? (c >= 'A' && c <= 'Z' ? (char) (c | ' ') : c) : Character.toLowerCase(c);
  }

  private static boolean isLetter(char c) {
    return c < 128 ? Signs.isLetter(c) : Character.isLetter(c);
  }

  private static boolean isDigit(char c) {
    return c < 128 ? Signs.isDigit(c) || c == '_' : Character.isDigit(c);
  }

  /** Four hashes of one, for sets in which a mistake costs more. */
  static long[] four(long hash) {
    long[] four = new long[4];
    for (int i = 0; i < four.length; i++) {
      four[i] = mixed(hash + (i + 1) * PRIME);
    }
    return four;
  }

  /** Spreads what differs in one bit over all of them. */
  private static long mixed(long hash) {
    long once = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    long twice = (once ^ (once >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return twice ^ (twice >>> 33);
  }
}
