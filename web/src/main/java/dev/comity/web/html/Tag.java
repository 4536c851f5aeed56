package dev.comity.web.html;

import java.util.Locale;

/** The elements that mean something to us. Every other one is {@link #OTHER}. */
enum Tag {
  A,
  AREA,
  BASE,
  FRAME,
  IMG,
  LINK,
  META,
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
  ADDRESS(Kind.BREAKOUT),
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
  EM(Kind.INLINE_BREAKOUT),
  I(Kind.INLINE_BREAKOUT),
  SPAN(Kind.INLINE_BREAKOUT),
  STRONG(Kind.INLINE_BREAKOUT),

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

  /** The tag of that name, in any case. No text is made of it: a page has thousands of tags. */
  static Tag named(String html, int start, int end) {
    long packed = packed(html, start, end);
    if (packed == UNKNOWN) {
      return OTHER;
    }
    int slot = slot(packed);
    while (NAMES[slot] != packed) {
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

  /** Whether it ends SVG and MathML: nobody means it to be inside. */
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

  private static int slot(long packed) {
    return (int) ((packed * 0x9E3779B97F4A7C15L) >>> 55);
  }
}
