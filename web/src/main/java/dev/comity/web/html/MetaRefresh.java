package dev.comity.web.html;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code <meta http-equiv=refresh content="5; url=/next">} and the header {@code Refresh: 5;
 * url=/next}, as the HTML standard reads them.
 */
final class MetaRefresh {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*+(?:\\d++|\\.)[\\d.]*+(?:\\s*+[;,]\\s*+|\\s++)(?:[Uu][Rr][Ll]\\s*+=\\s*+)?+(.++)",
          Pattern.DOTALL);

  private MetaRefresh() {}

  /** Where it leads; empty where it only loads the page again. */
  static Optional<String> target(String content) {
    Matcher form = FORM.matcher(content);
    return form.matches() ? Optional.of(unquoted(form.group(1).strip())) : Optional.empty();
  }

  private static String unquoted(String target) {
    if (target.startsWith("\"") || target.startsWith("'")) {
      int end = target.indexOf(target.charAt(0), 1);
      return target.substring(1, end < 0 ? target.length() : end);
    }
    return target;
  }
}
