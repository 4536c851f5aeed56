package dev.comity.web.html;

import dev.comity.web.html.Tag.Content;
import java.util.Optional;

/**
 * Reads HTML as the standard's tokeniser does, one piece of text or one tag at a time. It builds no
 * tree: whatever a page nests, repeats or leaves open, the cost is one pass over its characters and
 * little memory.
 */
final class HtmlScanner {
  /** Further attributes of one tag do not count. */
  static final int MOST_ATTRIBUTES = 128;

  private static final String CDATA = "[CDATA[";

  private final String html;
  private final TagAttributes attributes;
  private final OpenElements elements = new OpenElements();
  private int at;
  private Tag open = Tag.OTHER;

  private Tag tag = Tag.OTHER;
  private int textStart;
  private int textEnd;
  private boolean hasReferences;
  private boolean foreign;

  HtmlScanner(String html) {
    this.html = html;
    this.attributes = new TagAttributes(html, MOST_ATTRIBUTES);
  }

  /** What was met. */
  enum Piece {
    TEXT,
    START,
    END,
    /** Nothing is left. */
    NOTHING
  }

  /** Goes on to the next piece. */
  Piece next() {
    if (open.content() == Content.TEXT) {
      return contentOf(open);
    }
    if (open.content() != Content.MARKUP) {
      at = rawEnd(open);
      open = Tag.OTHER;
    }
    while (at < html.length()) {
      int markup = nextMarkup(at);
      if (markup > at) {
        return text(at, markup, true);
      }
      Piece piece = markup();
      if (piece != Piece.NOTHING) {
        return piece;
      }
    }
    return Piece.NOTHING;
  }

  /** The tag that was met. */
  Tag tag() {
    return tag;
  }

  /** Whether the tag that was met starts or ends an element of SVG or MathML. */
  boolean isForeign() {
    return foreign;
  }

  /** Whether the start tag says itself that it has no content, which counts in foreign parts. */
  boolean isSelfClosing() {
    return attributes.isSelfClosing();
  }

  /** How many elements are open from the outermost of SVG or MathML on; none outside of them. */
  int foreignDepth() {
    return elements.depth();
  }

  /** The value of the first attribute of that name of the start tag that was met. */
  Optional<String> attribute(String name) {
    return attributes.value(name);
  }

  /** Whether an attribute value of the start tag is longer than the limit. */
  boolean hasOversized(String name) {
    return attributes.isOversized(name);
  }

  /** Adds the text that was met. */
  void appendTo(TextDraft draft) {
    draft.append(html, textStart, textEnd, hasReferences);
  }

  private Piece text(int start, int end, boolean withReferences) {
    textStart = start;
    textEnd = end;
    hasReferences = withReferences;
    at = end;
    return Piece.TEXT;
  }

  private Piece contentOf(Tag element) {
    open = Tag.OTHER;
    int end = rawEnd(element);
    return end > at ? text(at, end, true) : next();
  }

  /** Where the next {@code <} is that begins anything. */
  private int nextMarkup(int from) {
    int less = html.indexOf('<', from);
    while (less >= 0 && !beginsMarkup(less + 1)) {
      less = html.indexOf('<', less + 1);
    }
    return less < 0 ? html.length() : less;
  }

  private boolean beginsMarkup(int next) {
    if (next >= html.length()) {
      return false;
    }
    char character = html.charAt(next);
    return isLetter(character)
        || character == '!'
        || character == '?'
        || (character == '/' && next + 1 < html.length());
  }

  /** Reads what begins here; what is neither text nor tag is skipped. */
  private Piece markup() {
    return switch (html.charAt(at + 1)) {
      case '!' -> declaration();
      case '?' -> bogus(at + 2);
      case '/' -> isLetter(html.charAt(at + 2)) ? endTag() : bogus(at + 2);
      default -> startTag();
    };
  }

  private Piece startTag() {
    int nameEnd = nameEnd(at + 1);
    long name = Tag.number(html, at + 1, nameEnd);
    tag = Tag.of(name);
    at = attributes.read(nameEnd);
    if (at < 0) {
      return cutOff();
    }
    foreign = elements.started(name, tag, attributes);
    open = foreign ? Tag.OTHER : tag;
    return Piece.START;
  }

  private Piece endTag() {
    int nameEnd = nameEnd(at + 2);
    long name = Tag.number(html, at + 2, nameEnd);
    tag = Tag.of(name);
    at = attributes.read(nameEnd);
    if (at < 0) {
      return cutOff();
    }
    foreign = elements.ended(name, tag);
    return Piece.END;
  }

  /** A tag that the page ends in is none. */
  private Piece cutOff() {
    at = html.length();
    return Piece.NOTHING;
  }

  private int nameEnd(int start) {
    int end = start;
    while (end < html.length() && !endsName(html.charAt(end))) {
      end++;
    }
    return end;
  }

  private Piece declaration() {
    int start = at + 2;
    if (html.startsWith("--", start)) {
      at = commentEnd(start + 2);
      return Piece.NOTHING;
    }
    if (elements.isForeign() && html.startsWith(CDATA, start)) {
      int end = html.indexOf("]]>", start + CDATA.length());
      Piece piece = text(start + CDATA.length(), end < 0 ? html.length() : end, false);
      at = end < 0 ? html.length() : end + 3;
      return piece;
    }
    return bogus(start);
  }

  private Piece bogus(int start) {
    int end = html.indexOf('>', start);
    at = end < 0 ? html.length() : end + 1;
    return Piece.NOTHING;
  }

  private int commentEnd(int start) {
    if (html.startsWith(">", start)) {
      return start + 1;
    }
    if (html.startsWith("->", start)) {
      return start + 2;
    }
    int dashes = html.indexOf("--", start);
    while (dashes >= 0) {
      if (html.startsWith(">", dashes + 2)) {
        return dashes + 3;
      }
      if (html.startsWith("!>", dashes + 2)) {
        return dashes + 4;
      }
      dashes = html.indexOf("--", dashes + 1);
    }
    return html.length();
  }

  /** Where the end tag is that ends this element's content. */
  private int rawEnd(Tag element) {
    if (element == Tag.PLAINTEXT) {
      return html.length();
    }
    return element.content() == Content.SCRIPT
        ? ScriptEnd.in(html, at)
        : endTagOf(html, element.name(), at);
  }

  /** Where the next end tag of that name is; the end of the page where there is none. */
  static int endTagOf(String html, String name, int from) {
    int less = html.indexOf("</", from);
    while (less >= 0 && !isName(html, name, less + 2)) {
      less = html.indexOf("</", less + 2);
    }
    return less < 0 ? html.length() : less;
  }

  /** Whether the tag name that starts here is this one. */
  static boolean isName(String html, String name, int start) {
    int end = start + name.length();
    return html.regionMatches(true, start, name, 0, name.length())
        && end < html.length()
        && endsName(html.charAt(end));
  }

  private static boolean endsName(char character) {
    return character == '>' || character == '/' || isSpace(character);
  }

  static boolean isSpace(char character) {
    return character == ' '
        || character == '\n'
        || character == '\t'
        || character == '\r'
        || character == '\f';
  }

  private static boolean isLetter(char character) {
    int lower = character | 0x20;
    return lower >= 'a' && lower <= 'z' && character < 0x80;
  }
}
