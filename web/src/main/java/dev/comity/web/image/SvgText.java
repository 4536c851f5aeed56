package dev.comity.web.image;

import java.util.Locale;
import java.util.Optional;

/** Tells SVG by its root element, whatever comments and declarations stand before it. */
final class SvgText {
  /** In bytes: comments of drawing programs are shorter. */
  private static final int LOOKED_AT = 4_096;

  private SvgText() {}

  static Optional<ImageFormat> format(ImageBytes bytes) {
    String text = bytes.text(0, LOOKED_AT).replace("\0", "").toLowerCase(Locale.ROOT);
    int at = start(text);
    while (at < text.length() && text.charAt(at) == '<') {
      if (text.startsWith("<svg", at)) {
        return Optional.of(ImageFormat.SVG);
      }
      boolean comment = text.startsWith("<!--", at);
      boolean aside = comment || text.startsWith("<?", at) || text.startsWith("<!doctype svg", at);
      int end = aside ? text.indexOf(comment ? "-->" : ">", at) : -1;
      if (end < 0) {
        return Optional.empty();
      }
      at = white(text, end + (comment ? 3 : 1));
    }
    return Optional.empty();
  }

  /** Behind a byte order mark of UTF-8 or UTF-16. */
  private static int start(String text) {
    int mark = 0;
    for (String each : new String[] {"\u00ef\u00bb\u00bf", "\u00ff\u00fe", "\u00fe\u00ff"}) {
      mark = text.startsWith(each.toLowerCase(Locale.ROOT)) ? each.length() : mark;
    }
    return white(text, mark);
  }

  private static int white(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }
}
