package dev.comity.web.html;

/**
 * Where a script ends. Scripts were once put into comments so that old browsers would not show
 * them, and such a comment may hold a whole script element: an end tag in there ends only that one.
 */
final class ScriptEnd {
  private static final String NAME = "script";

  private ScriptEnd() {}

  /** The end tag's place; the end of the page where there is none. */
  static int in(String html, int from) {
    boolean inComment = false;
    boolean inInnerScript = false;
    int commentEnd = -1;
    int less = html.indexOf('<', from);
    while (less >= 0) {
      if (inComment && commentEnd >= 0 && commentEnd < less) {
        inComment = false;
        inInnerScript = false;
      }
      if (!inComment && html.startsWith("!--", less + 1)) {
        // The dashes that open it may be those that close it.
        commentEnd = html.indexOf("-->", less + 2);
        if (commentEnd < 0) {
          commentEnd = html.length();
        }
        inComment = true;
      } else if (html.startsWith("/", less + 1) && HtmlScanner.isName(html, NAME, less + 2)) {
        if (!inInnerScript) {
          return less;
        }
        inInnerScript = false;
      } else if (inComment && HtmlScanner.isName(html, NAME, less + 1)) {
        inInnerScript = true;
      }
      less = html.indexOf('<', less + 1);
    }
    return html.length();
  }
}
