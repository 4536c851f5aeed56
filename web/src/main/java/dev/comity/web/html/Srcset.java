package dev.comity.web.html;

import java.util.ArrayList;
import java.util.List;

/** The image candidates of a {@code srcset}, without what is said about their sizes. */
final class Srcset {
  private Srcset() {}

  /** The references in it, so many at most. A comma inside a URL is part of it. */
  static List<String> references(String srcset, int most) {
    List<String> found = new ArrayList<>();
    int at = 0;
    while (found.size() < most) {
      while (at < srcset.length() && (isSpace(srcset, at) || srcset.charAt(at) == ',')) {
        at++;
      }
      if (at == srcset.length()) {
        break;
      }
      int start = at;
      while (at < srcset.length() && !isSpace(srcset, at)) {
        at++;
      }
      int end = at;
      while (srcset.charAt(end - 1) == ',') {
        end--;
      }
      found.add(srcset.substring(start, end));
      if (end == at) {
        at = afterDescriptors(srcset, at);
      }
    }
    return found;
  }

  private static int afterDescriptors(String srcset, int start) {
    int at = start;
    boolean inParentheses = false;
    while (at < srcset.length() && (inParentheses || srcset.charAt(at) != ',')) {
      inParentheses = srcset.charAt(at) == '(' || (inParentheses && srcset.charAt(at) != ')');
      at++;
    }
    return at;
  }

  private static boolean isSpace(String srcset, int at) {
    return HtmlScanner.isSpace(srcset.charAt(at));
  }
}
