package dev.comity.web.sitemap;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tags and the text between them, as forgivingly as sites need: an ampersand may stand alone and
 * tags need not match. A DTD is passed over, and the only entities are those that XML itself has
 * and numbers. Nothing is kept but what was read last, and of that no more than a few kilobytes.
 */
final class XmlScanner {
  /** Longer than any URL that is followed; the rest of a text is left out. */
  private static final int MOST_KEPT = 8192;

  private static final int END = -1;

  private final SitemapText in;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder tag = new StringBuilder();

  XmlScanner(SitemapText in) {
    this.in = in;
  }

  /** What a tag does. */
  enum TagForm {
    OPENS,
    CLOSES,
    /** Both at once. */
    STANDS_ALONE
  }

  /**
   * A tag and the text before it.
   *
   * @param name without its prefix, in lower case
   * @param attributes everything after the name, as written
   */
  record XmlTag(TagForm form, String name, String attributes, String before) {}

  /** The next tag; null where there is none. */
  @Nullable XmlTag next() {
    text.setLength(0);
    int raw = 0;
    for (int c = in.next(); c != END; c = in.next()) {
      if (c != '<') {
        keep(text, c);
        continue;
      }
      Entities.decode(text, raw);
      if (in.peek() == '!') {
        declaration();
      } else if (in.peek() == '?') {
        skipPast("?>");
      } else if (in.peek() == '/' || Character.isLetter(in.peek()) || in.peek() == '_') {
        return tag();
      } else {
        keep(text, c);
      }
      raw = text.length();
    }
    return null;
  }

  private XmlTag tag() {
    boolean closes = in.peek() == '/';
    tag.setLength(0);
    int quote = 0;
    for (int c = in.next(); c != END && (c != '>' || quote != 0); c = in.next()) {
      if (quote == 0 && (c == '"' || c == '\'') && !closes) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
      keep(tag, c);
    }
    String whole = closes ? tag.substring(1) : tag.toString();
    boolean alone = !closes && whole.endsWith("/");
    String inner = alone ? whole.substring(0, whole.length() - 1) : whole;
    int space = 0;
    while (space < inner.length() && !Character.isWhitespace(inner.charAt(space))) {
      space++;
    }
    String name = inner.substring(0, space);
    return new XmlTag(
        closes ? TagForm.CLOSES : alone ? TagForm.STANDS_ALONE : TagForm.OPENS,
        name.substring(name.indexOf(':') + 1).toLowerCase(Locale.ROOT),
        inner.substring(space),
        text.toString());
  }

  /** Comments and DTDs say nothing to us; a CDATA section is text as it stands. */
  private void declaration() {
    in.next();
    if (in.peek() == '-') {
      in.next();
      if (in.peek() == '-') {
        in.next();
        skipPast("-->");
      } else {
        skipPast(">");
      }
    } else if (in.peek() == '[') {
      cdata();
    } else {
      doctype();
    }
  }

  private void cdata() {
    for (int brackets = 0; brackets < 2 && in.peek() != END; ) {
      brackets += in.next() == '[' ? 1 : 0;
    }
    int from = text.length();
    int ends = 0;
    for (int c = in.next(); c != END; c = in.next()) {
      if (c == '>' && ends >= 2) {
        text.setLength(Math.max(from, text.length() - 2));
        return;
      }
      ends = c == ']' ? ends + 1 : 0;
      keep(text, c);
    }
  }

  /** To the end of the DTD, with what it declares between brackets. */
  private void doctype() {
    int depth = 0;
    int quote = 0;
    for (int c = in.next(); c != END; c = in.next()) {
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[') {
        depth++;
      } else if (c == ']') {
        depth--;
      } else if (c == '>' && depth <= 0) {
        return;
      }
    }
  }

  private void skipPast(String end) {
    StringBuilder last = new StringBuilder();
    while (!end.contentEquals(last) && in.peek() != END) {
      last.append((char) in.next());
      last.delete(0, Math.max(0, last.length() - end.length()));
    }
  }

  private static void keep(StringBuilder into, int c) {
    if (into.length() < MOST_KEPT) {
      into.append((char) c);
    }
  }
}
