package dev.comity.web.html;

import org.jsoup.nodes.Entities;

/** Character references, by name or by number, read as the standard says. */
final class References {
  /** No name is longer. */
  private static final int LONGEST_NAME = 32;

  /** No name that goes without its semicolon is longer. */
  private static final int LONGEST_OPEN_NAME = 6;

  private static final int REPLACEMENT = 0xFFFD;

  /** What pages that write these numbers mean: the letters that Windows has in these places. */
  private static final String WINDOWS_1252 =
      "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d"
          + "\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153"
          + "\u009d\u017e\u0178";

  static {
    // The table is loaded when it is first asked by number or for existence; names of more than one
    // character are not found before that.
    if (!Entities.isNamedEntity("NotEqualTilde")) {
      throw new IllegalStateException("the table of character references is not there");
    }
  }

  private References() {}

  /** The value of an attribute, where {@code ?a=1&copy=2} has no reference in it. */
  static String inAttribute(String value) {
    int ampersand = value.indexOf('&');
    StringBuilder resolved = new StringBuilder(ampersand < 0 ? 0 : value.length());
    int from = 0;
    while (ampersand >= 0) {
      resolved.append(value, from, ampersand);
      from = resolve(value, ampersand, true, resolved);
      ampersand = value.indexOf('&', from);
    }
    String whole = from == 0 ? value : resolved.append(value, from, value.length()).toString();
    return whole.replace('\0', '\ufffd');
  }

  /** Appends what stands at this ampersand and says where the text goes on. */
  static int resolve(String text, int ampersand, boolean inAttribute, StringBuilder to) {
    int start = ampersand + 1;
    if (text.startsWith("#", start)) {
      return numeric(text, ampersand, to);
    }
    int end = start;
    while (end < text.length() && end - start <= LONGEST_NAME && isAlphanumeric(text.charAt(end))) {
      end++;
    }
    if (end > start && text.startsWith(";", end)) {
      String characters = Entities.getByName(text.substring(start, end));
      if (!characters.isEmpty()) {
        to.append(characters);
        return end + 1;
      }
    }
    for (int open = Math.min(end, start + LONGEST_OPEN_NAME); open > start + 1; open--) {
      String name = text.substring(start, open);
      if (Entities.isBaseNamedEntity(name)) {
        boolean goesOn = open < end || text.startsWith("=", open);
        if (inAttribute && goesOn) {
          break;
        }
        to.append(Entities.getByName(name));
        return open;
      }
    }
    to.append('&');
    return start;
  }

  private static int numeric(String text, int ampersand, StringBuilder to) {
    boolean hexadecimal =
        text.startsWith("x", ampersand + 2) || text.startsWith("X", ampersand + 2);
    int start = ampersand + (hexadecimal ? 3 : 2);
    int radix = hexadecimal ? 16 : 10;
    int value = 0;
    int end = start;
    while (end < text.length() && text.charAt(end) < 0x80) {
      int digit = Character.digit(text.charAt(end), radix);
      if (digit < 0) {
        break;
      }
      value = Math.min(value * radix + digit, Character.MAX_CODE_POINT + 1);
      end++;
    }
    if (end == start) {
      to.append('&');
      return ampersand + 1;
    }
    to.appendCodePoint(meant(value));
    return text.startsWith(";", end) ? end + 1 : end;
  }

  private static int meant(int value) {
    boolean none =
        value == 0
            || value > Character.MAX_CODE_POINT
            || (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE);
    if (none) {
      return REPLACEMENT;
    }
    return value >= 0x80 && value < 0xA0 ? WINDOWS_1252.charAt(value - 0x80) : value;
  }

  private static boolean isAlphanumeric(char character) {
    int lower = character | 0x20;
    return character < 0x80
        && ((lower >= 'a' && lower <= 'z') || (character >= '0' && character <= '9'));
  }
}
