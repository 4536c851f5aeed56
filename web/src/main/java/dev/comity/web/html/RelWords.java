package dev.comity.web.html;

/** The words of a {@code rel}, in any case. */
final class RelWords {
  private RelWords() {}

  /** Whether it leads to another page of the same content. */
  static boolean isLeading(String rel) {
    return has(rel, "next") || has(rel, "prev") || has(rel, "canonical");
  }

  /** Whether the word is one of them. */
  static boolean has(String rel, String word) {
    int at = 0;
    while (at + word.length() <= rel.length()) {
      int end = at;
      while (end < rel.length() && !HtmlScanner.isSpace(rel.charAt(end))) {
        end++;
      }
      if (end - at == word.length() && rel.regionMatches(true, at, word, 0, word.length())) {
        return true;
      }
      at = end + 1;
    }
    return false;
  }
}
