package dev.comity.core.trap;

/**
 * Writes the paths of templates, one after the other in the same room: every link of every page is
 * asked for its own, so nothing is taken apart for it and each name is looked at once.
 */
final class PathWriter {
  private static final int LONGEST_NAME = 24;
  private static final int SHORTEST_CODE = 8;
  private static final int LONGEST_ENDING = 6;

  /** A template is never longer than what it is of. */
  private char[] room = new char[64];

  private int end;

  /** What the name that was looked at last is made of; words are runs of letters. */
  private int length;

  private int letters;
  private int digits;
  private int words;
  private boolean hex;

  /** It has an escaped sign, which is no letter of ours. */
  private boolean foreign;

  /** Writes the template of a path without parameters; it is this part of a text. */
  void path(String text, int from, int to) {
    begin(to - from);
    int last = to;
    while (last > from && text.charAt(last - 1) == '/') {
      last--;
    }
    for (int at = from; at < last; ) {
      int slash = text.indexOf('/', at, last);
      int stop = slash < 0 ? last : slash;
      if (stop > at) {
        room[end++] = '/';
        write(text, at, stop, stop == last);
      }
      at = stop + 1;
    }
    if (last < to) {
      room[end++] = '/';
    }
  }

  /** Writes the template of a parameter's name. */
  void name(String name) {
    begin(name.length());
    name(name, 0, name.length());
  }

  private void begin(int longest) {
    end = 0;
    if (longest > room.length) {
      room = new char[longest];
    }
  }

  private void write(String text, int from, int to, boolean last) {
    if (last) {
      leaf(text, from, to);
    } else {
      name(text, from, to);
    }
  }

  private void name(String text, int from, int to) {
    look(text, from, to);
    if (isCode()) {
      room[end++] = '~';
    } else {
      numbers(text, from, to);
    }
  }

  /** The ending is kept, so that pages and documents are told apart. */
  private void leaf(String text, int from, int to) {
    int stem = stemEnd(text, from, to);
    look(text, from, stem);
    if (isCode()) {
      room[end++] = '~';
    } else if (digits > 0 && !isTitle()) {
      numbers(text, from, stem);
    } else {
      room[end++] = '*';
    }
    copy(text, stem, to);
  }

  private static int stemEnd(String text, int from, int to) {
    for (int dot = to - 1; dot > from && to - dot <= LONGEST_ENDING; dot--) {
      if (text.charAt(dot) == '.') {
        return dot;
      }
    }
    return to;
  }

  private void look(String text, int from, int to) {
    length = to - from;
    letters = 0;
    digits = 0;
    words = 0;
    hex = true;
    foreign = false;
    boolean inWord = false;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean letter = Signs.isLetter(c);
      if (letter) {
        letters++;
        words += inWord ? 0 : 1;
        hex = hex && (c | ' ') <= 'f';
      } else if (Signs.isDigit(c)) {
        digits++;
      } else {
        foreign |= c == '%';
        hex = hex && c == '-';
      }
      inWord = letter;
    }
  }

  /** Hexadecimal, or long and without the order of a word. */
  private boolean isCode() {
    return length >= SHORTEST_CODE
        && letters > 0
        && digits > 0
        && (hex || (length > LONGEST_NAME && letters + digits == length));
  }

  /** Three words or more, or signs that are no letters of ours: an author chose them. */
  private boolean isTitle() {
    return foreign || words > 2;
  }

  private void copy(String text, int from, int to) {
    text.getChars(from, to, room, end);
    end += to - from;
  }

  /** Every number as one sign; most names have none. */
  private void numbers(String text, int from, int to) {
    if (digits == 0) {
      copy(text, from, to);
      return;
    }
    boolean inNumber = false;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean digit = Signs.isDigit(c);
      if (!digit) {
        room[end++] = c;
      } else if (!inNumber) {
        room[end++] = '#';
      }
      inNumber = digit;
    }
  }

  /** Whether what was written is this. */
  boolean wrote(String text) {
    return end == text.length() && wroteBelow(text);
  }

  /** Whether what was written begins with this. */
  boolean wroteBelow(String directory) {
    if (end < directory.length()) {
      return false;
    }
    for (int i = 0; i < directory.length(); i++) {
      if (room[i] != directory.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** What was written. */
  @Override
  public String toString() {
    return new String(room, 0, end);
  }
}
