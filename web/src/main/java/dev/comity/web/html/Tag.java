package dev.comity.web.html;

import java.util.Locale;

/** The elements that mean something to us. Every other one is {@link #OTHER}. */
enum Tag {
  A,
  AREA,
  BASE,
  FRAME,
  HTML,
  IMG(Kind.INLINE_BREAKOUT),
  LINK,
  META(Kind.INLINE_BREAKOUT),
  PICTURE,
  SOURCE,
  TEMPLATE,

  /** What is inside is text with character references, whatever it looks like. */
  TITLE(Kind.BLOCK, Content.TEXT),
  TEXTAREA(Kind.BLOCK, Content.TEXT),

  /** What is inside is no part of the page's text. */
  SCRIPT(Kind.BLOCK, Content.SCRIPT),
  STYLE(Kind.BLOCK, Content.RAW),
  IFRAME(Kind.BLOCK, Content.RAW),
  NOEMBED(Kind.BLOCK, Content.RAW),
  NOFRAMES(Kind.BLOCK, Content.RAW),
  XMP(Kind.BLOCK, Content.RAW),
  PLAINTEXT(Kind.BLOCK, Content.RAW),

  /** Inside these the rules of XML hold for some things. */
  SVG,
  MATH,

  /** These end a line of text; where one of them is, two words are two words. */
  ADDRESS(Kind.BLOCK),
  ARTICLE(Kind.BLOCK),
  ASIDE(Kind.BLOCK),
  BLOCKQUOTE(Kind.BREAKOUT),
  BODY(Kind.BREAKOUT),
  BR(Kind.BREAKOUT),
  CAPTION(Kind.BLOCK),
  CENTER(Kind.BREAKOUT),
  COL(Kind.BLOCK),
  DD(Kind.BREAKOUT),
  DETAILS(Kind.BLOCK),
  DIR(Kind.BLOCK),
  DIV(Kind.BREAKOUT),
  DL(Kind.BREAKOUT),
  DT(Kind.BREAKOUT),
  FIELDSET(Kind.BLOCK),
  FIGCAPTION(Kind.BLOCK),
  FIGURE(Kind.BLOCK),
  FOOTER(Kind.BLOCK),
  FORM(Kind.BLOCK),
  H1(Kind.BREAKOUT),
  H2(Kind.BREAKOUT),
  H3(Kind.BREAKOUT),
  H4(Kind.BREAKOUT),
  H5(Kind.BREAKOUT),
  H6(Kind.BREAKOUT),
  HEAD(Kind.BREAKOUT),
  HEADER(Kind.BLOCK),
  HR(Kind.BREAKOUT),
  LEGEND(Kind.BLOCK),
  LI(Kind.BREAKOUT),
  LISTING(Kind.BREAKOUT),
  MAIN(Kind.BLOCK),
  MENU(Kind.BREAKOUT),
  NAV(Kind.BLOCK),
  OL(Kind.BREAKOUT),
  OPTION(Kind.BLOCK),
  P(Kind.BREAKOUT),
  PRE(Kind.BREAKOUT),
  SECTION(Kind.BLOCK),
  SUMMARY(Kind.BLOCK),
  TABLE(Kind.BREAKOUT),
  TBODY(Kind.BLOCK),
  TD(Kind.BLOCK),
  TFOOT(Kind.BLOCK),
  TH(Kind.BLOCK),
  THEAD(Kind.BLOCK),
  TR(Kind.BLOCK),
  UL(Kind.BREAKOUT),
  VIDEO(Kind.BLOCK),

  /** Inline, but they too end what is left open of SVG or MathML. */
  B(Kind.INLINE_BREAKOUT),
  BIG(Kind.INLINE_BREAKOUT),
  CODE(Kind.INLINE_BREAKOUT),
  EM(Kind.INLINE_BREAKOUT),
  EMBED(Kind.INLINE_BREAKOUT),
  I(Kind.INLINE_BREAKOUT),
  NOBR(Kind.INLINE_BREAKOUT),
  RUBY(Kind.INLINE_BREAKOUT),
  S(Kind.INLINE_BREAKOUT),
  SMALL(Kind.INLINE_BREAKOUT),
  SPAN(Kind.INLINE_BREAKOUT),
  STRIKE(Kind.INLINE_BREAKOUT),
  STRONG(Kind.INLINE_BREAKOUT),
  SUB(Kind.INLINE_BREAKOUT),
  SUP(Kind.INLINE_BREAKOUT),
  TT(Kind.INLINE_BREAKOUT),
  U(Kind.INLINE_BREAKOUT),
  VAR(Kind.INLINE_BREAKOUT),

  /** The same, but only with an attribute that says how it looks. */
  FONT,

  OTHER;

  private enum Kind {
    INLINE,
    INLINE_BREAKOUT,
    BLOCK,
    BREAKOUT
  }

  /** How what stands between a start tag and its end tag is read. */
  enum Content {
    /** Text and tags. */
    MARKUP,
    /** Text with character references up to the end tag. */
    TEXT,
    /** Anything up to the end tag. */
    RAW,
    /** The same with the exceptions that scripts of the last century need. */
    SCRIPT
  }

  private static final int LONGEST = 10;
  private static final long UNKNOWN = 0;
  private static final long HASHED = Long.MIN_VALUE;
  private static final int SLOTS = 512;
  private static final long[] NAMES = new long[SLOTS];
  private static final Tag[] TAGS = new Tag[SLOTS];

  static {
    for (Tag tag : values()) {
      String name = tag.name().toLowerCase(Locale.ROOT);
      long packed = packed(name, 0, name.length());
      int slot = slot(packed);
      while (NAMES[slot] != UNKNOWN) {
        slot = slot + 1 & SLOTS - 1;
      }
      NAMES[slot] = packed;
      TAGS[slot] = tag;
    }
  }

  private final Kind kind;
  private final Content content;

  Tag() {
    this(Kind.INLINE);
  }

  Tag(Kind kind) {
    this(kind, Content.MARKUP);
  }

  Tag(Kind kind, Content content) {
    this.kind = kind;
    this.content = content;
  }

  /**
   * A number that stands for a tag's name, in any case. No text is made of it: a page has thousands
   * of tags.
   */
  static long number(String html, int start, int end) {
    long packed = packed(html, start, end);
    return packed == UNKNOWN ? hash(html, start, end) : packed;
  }

  static long number(String name) {
    return number(name, 0, name.length());
  }

  /** The tag of this number. */
  static Tag of(long number) {
    if (number < 0) {
      return OTHER;
    }
    int slot = slot(number);
    while (NAMES[slot] != number) {
      if (NAMES[slot] == UNKNOWN) {
        return OTHER;
      }
      slot = slot + 1 & SLOTS - 1;
    }
    return TAGS[slot];
  }

  /** Whether text before and after it are different words. */
  boolean partsWords() {
    return kind == Kind.BLOCK || kind == Kind.BREAKOUT;
  }

  /** Whether its start tag ends SVG and MathML, where it is no element. */
  boolean breaksOut() {
    return kind == Kind.BREAKOUT || kind == Kind.INLINE_BREAKOUT;
  }

  Content content() {
    return content;
  }

  /** Six bits for each letter or digit, nothing for a name that cannot be one of ours. */
  private static long packed(String html, int start, int end) {
    if (end - start > LONGEST) {
      return UNKNOWN;
    }
    long packed = 0;
    for (int at = start; at < end; at++) {
      int character = html.charAt(at);
      int lower = character | 0x20;
      if (lower >= 'a' && lower <= 'z' && character < 0x80) {
        packed = packed << 6 | lower - 'a' + 1;
      } else if (character >= '0' && character <= '9') {
        packed = packed << 6 | character - '0' + 27;
      } else {
        return UNKNOWN;
      }
    }
    return packed;
  }

  /** A negative number for a name that is long or has other signs than letters and digits. */
  private static long hash(String html, int start, int end) {
    long hash = 0;
    for (int at = start; at < end; at++) {
      char character = html.charAt(at);
      boolean capital = character >= 'A' && character <= 'Z';
      hash = hash * 31 + (capital ? character | 0x20 : character);
    }
    return hash | HASHED;
  }

  private static int slot(long packed) {
    return (int) ((packed * 0x9E3779B97F4A7C15L) >>> 55);
  }
}
