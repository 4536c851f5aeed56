package dev.comity.web.html;

/** Parts of a text that split no surrogate pair. */
final class Cut {
  private Cut() {}

  /** The last characters before a place, without a space at the ends. */
  static String end(String text, int place, int most) {
    int from = Math.max(0, place - most);
    boolean inside = from > 0 && from < place && Character.isLowSurrogate(text.charAt(from));
    return text.substring(inside ? from + 1 : from, place).strip();
  }

  /** The first characters from a place on. */
  static String beginning(String text, int place, int most) {
    int to = Math.min(text.length(), place + most);
    boolean inside = to > place && to < text.length() && Character.isLowSurrogate(text.charAt(to));
    return text.substring(place, inside ? to - 1 : to).strip();
  }
}
