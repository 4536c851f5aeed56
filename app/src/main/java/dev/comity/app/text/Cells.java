package dev.comity.app.text;

import java.util.ArrayList;
import java.util.List;

/**
 * How much room text takes on a terminal, counted in cells: most characters take one, those of East
 * Asian scripts and pictures two, marks that stand on another character none.
 */
public final class Cells {
  /** Where characters two cells wide begin and end, in order. */
  private static final int[] WIDE = {
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
    0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
    0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x303E,
    0x3041, 0xA4CF, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19, 0xFE30, 0xFE6F,
    0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18CFF, 0x1AFF0, 0x1B2FF, 0x1F004, 0x1F004, 0x1F0CF,
    0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F320, 0x1F32D, 0x1F335, 0x1F337,
    0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4,
    0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B,
    0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB,
    0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D7, 0x1F6DC,
    0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C,
    0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD
  };

  private Cells() {}

  public static int width(String text) {
    return text.codePoints().map(Cells::width).sum();
  }

  private static int width(int point) {
    if (point < 0x300) {
      return 1;
    }
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(point) ? 2 : 1;
    };
  }

  private static boolean isWide(int point) {
    int low = 0;
    int high = WIDE.length / 2 - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (point < WIDE[2 * middle]) {
        high = middle - 1;
      } else if (point > WIDE[2 * middle + 1]) {
        low = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  /** The text, or the start of it and an ellipsis, in no more cells than that. */
  public static String cut(String text, int most) {
    if (width(text) <= most) {
      return text;
    }
    if (most <= 0) {
      return "";
    }
    int room = most - 1;
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      room -= width(point);
      if (room < 0) {
        break;
      }
      end += Character.charCount(point);
    }
    return text.substring(0, end) + "…";
  }

  /**
   * The text in lines of no more cells than that, broken at blanks; a word that is too long for a
   * line is broken where the line ends.
   *
   * @param first what the first line begins with
   * @param others what each further line begins with
   */
  public static List<String> wrapped(String text, int most, String first, String others) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(first);
    String begun = first;
    for (String word : text.strip().split(" +", -1)) {
      boolean isEmpty = line.length() == begun.length();
      if (!isEmpty && width(line.toString()) + 1 + width(word) > most) {
        lines.add(line.toString());
        begun = others;
        line = new StringBuilder(begun);
      } else if (!isEmpty) {
        line.append(' ');
      }
      for (int at = 0; at < word.length(); ) {
        int point = word.codePointAt(at);
        if (width(line.toString()) + width(point) > most && line.length() > begun.length()) {
          lines.add(line.toString());
          begun = others;
          line = new StringBuilder(begun);
        }
        line.appendCodePoint(point);
        at += Character.charCount(point);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  /** The text and as many blanks as are missing. */
  public static String padded(String text, int cells) {
    return text + " ".repeat(Math.max(0, cells - width(text)));
  }
}
