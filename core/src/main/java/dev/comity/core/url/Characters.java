package dev.comity.core.url;

/** What each ASCII character may do in a URL, after the grammar of RFC 3986. */
final class Characters {
  private static final byte UNRESERVED = 1;
  private static final byte TARGET = 2;
  private static final byte HOST = 4;
  private static final byte[] KINDS = new byte[128];

  static {
    mark("abcdefghijklmnopqrstuvwxyz0123456789", UNRESERVED | TARGET | HOST);
    mark("ABCDEFGHIJKLMNOPQRSTUVWXYZ", UNRESERVED | TARGET);
    mark("-._", UNRESERVED | TARGET | HOST);
    mark("~", UNRESERVED | TARGET);
    mark("!$&'()*+,;=:@/?", TARGET);
  }

  private Characters() {}

  private static void mark(String characters, int kinds) {
    characters.chars().forEach(character -> KINDS[character] |= (byte) kinds);
  }

  /** Means the same escaped or not, so it is written plainly. */
  static boolean isUnreserved(int character) {
    return is(character, UNRESERVED);
  }

  /** May stand unescaped in a path or query; slash and question mark among them. */
  static boolean isTarget(int character) {
    return is(character, TARGET);
  }

  /** May stand in a host name in its canonical, lower-case spelling. */
  static boolean isHost(int character) {
    return is(character, HOST);
  }

  private static boolean is(int character, byte kind) {
    return character < KINDS.length && (KINDS[character] & kind) != 0;
  }

  static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  static boolean isLetter(int character) {
    int lower = character | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isSlash(int character) {
    return character == '/' || character == '\\';
  }

  /** The value of a hexadecimal digit of either case, or a negative number. */
  static int hex(int character) {
    if (isDigit(character)) {
      return character - '0';
    }
    int lower = character | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  /** The byte an escape at this place stands for, or a negative number where there is none. */
  static int escaped(String text, int percent, int end) {
    if (percent + 2 >= end) {
      return -1;
    }
    int high = hex(text.charAt(percent + 1));
    int low = hex(text.charAt(percent + 2));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
