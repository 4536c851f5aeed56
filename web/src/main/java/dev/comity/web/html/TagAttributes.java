package dev.comity.web.html;

import java.util.Optional;

/** The attributes of one tag, as places in the page until one is asked for. */
final class TagAttributes {
  /** No value worth reading is longer, character references and all. */
  private static final int LONGEST_VALUE = 256 * 1024;

  private static final int STRIDE = 4;

  private final String html;
  private final int[] places;
  private int count;
  private boolean selfClosing;

  TagAttributes(String html, int most) {
    this.html = html;
    this.places = new int[most * STRIDE];
  }

  /**
   * Reads the attributes that start here.
   *
   * @return where the tag ends, or a negative number if the page ends first
   */
  int read(int start) {
    count = 0;
    selfClosing = false;
    int at = start;
    while (at < html.length()) {
      char character = html.charAt(at);
      if (character == '>') {
        return at + 1;
      }
      if (character == '/') {
        selfClosing = html.startsWith(">", at + 1);
        at++;
      } else if (HtmlScanner.isSpace(character)) {
        at++;
      } else {
        at = attribute(at);
        if (at < 0) {
          return -1;
        }
      }
    }
    return -1;
  }

  /** Reads one attribute; an equals sign where a name should start belongs to the name. */
  private int attribute(int nameStart) {
    int at = nameStart + 1;
    while (at < html.length() && !endsName(html.charAt(at))) {
      at++;
    }
    int nameEnd = at;
    at = afterSpaces(at);
    if (at >= html.length() || html.charAt(at) != '=') {
      note(nameStart, nameEnd, nameEnd, nameEnd);
      return at;
    }
    at = afterSpaces(at + 1);
    if (at >= html.length()) {
      return -1;
    }
    char quote = html.charAt(at);
    if (quote == '"' || quote == '\'') {
      int end = html.indexOf(quote, at + 1);
      note(nameStart, nameEnd, at + 1, end);
      return end < 0 ? -1 : end + 1;
    }
    int end = at;
    while (end < html.length()
        && html.charAt(end) != '>'
        && !HtmlScanner.isSpace(html.charAt(end))) {
      end++;
    }
    note(nameStart, nameEnd, at, end);
    return end;
  }

  private void note(int nameStart, int nameEnd, int valueStart, int valueEnd) {
    int place = count * STRIDE;
    if (place < places.length) {
      places[place] = nameStart;
      places[place + 1] = nameEnd;
      places[place + 2] = valueStart;
      places[place + 3] = valueEnd;
      count++;
    }
  }

  private int afterSpaces(int start) {
    int at = start;
    while (at < html.length() && HtmlScanner.isSpace(html.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean endsName(char character) {
    return character == '='
        || character == '>'
        || character == '/'
        || HtmlScanner.isSpace(character);
  }

  /** Whether a slash stands before the end of the tag. */
  boolean isSelfClosing() {
    return selfClosing;
  }

  /** The value of the first attribute of that name, unless it is too long to be of use. */
  Optional<String> value(String name) {
    int place = place(name);
    if (place < 0 || places[place + 3] - places[place + 2] > LONGEST_VALUE) {
      return Optional.empty();
    }
    return Optional.of(
        References.inAttribute(html.substring(places[place + 2], places[place + 3])));
  }

  boolean has(String name) {
    return place(name) >= 0;
  }

  /** Whether there is such an attribute and it is too long to be of use. */
  boolean isOversized(String name) {
    int place = place(name);
    return place >= 0 && places[place + 3] - places[place + 2] > LONGEST_VALUE;
  }

  private int place(String name) {
    for (int place = 0; place < count * STRIDE; place += STRIDE) {
      if (places[place + 1] - places[place] == name.length()
          && html.regionMatches(true, places[place], name, 0, name.length())) {
        return place;
      }
    }
    return -1;
  }
}
