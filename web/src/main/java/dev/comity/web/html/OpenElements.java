package dev.comity.web.html;

import java.util.Arrays;
import java.util.Optional;

/**
 * Which elements are open, as far as that says where SVG and MathML end. Inside of them a stack of
 * open elements is kept, and the rules of the HTML standard for foreign content hold. Outside, open
 * elements are only counted by name: an end tag inside SVG ends it if such an element is open.
 */
final class OpenElements {
  /** Deeper elements are counted and have no name. */
  private static final int DEEPEST = 512;

  private static final int ROOM = 16;
  private static final int COUNTS = 256;

  private static final int HTML = 0;
  private static final int SVG = 1;
  private static final int MATH = 2;

  /** Start tags and text inside are HTML. */
  private static final int HTML_POINT = 4;

  /** The same, but for two elements of MathML. */
  private static final int TEXT_POINT = 8;

  /** An {@code svg} inside is SVG. */
  private static final int ANNOTATION = 16;

  private static final int ANY_POINT = HTML_POINT | TEXT_POINT | ANNOTATION;

  private static final long SVG_NAME = Tag.number("svg");
  private static final long MATH_NAME = Tag.number("math");
  private static final long P_NAME = Tag.number("p");
  private static final long HTML_NAME = Tag.number("html");
  private static final long ANNOTATION_NAME = Tag.number("annotation-xml");
  private static final long[] SVG_POINTS = numbers("foreignobject", "desc", "title");
  private static final long[] MATH_POINTS = numbers("mi", "mo", "mn", "ms", "mtext");
  private static final long[] NOT_IN_TEXT = numbers("mglyph", "malignmark");
  private static final long[] WITHOUT_CONTENT =
      numbers(
          "area",
          "base",
          "basefont",
          "bgsound",
          "br",
          "col",
          "embed",
          "frame",
          "hr",
          "img",
          "input",
          "keygen",
          "link",
          "meta",
          "param",
          "source",
          "track",
          "wbr");

  /** How many elements are open outside SVG and MathML, by a hash of their name. */
  private final short[] outside = new short[COUNTS];

  private long[] names = {};
  private byte[] kinds = {};
  private int size;
  private int beyond;

  private static long[] numbers(String... names) {
    long[] numbers = Arrays.stream(names).mapToLong(Tag::number).toArray();
    Arrays.sort(numbers);
    return numbers;
  }

  private static boolean has(long[] names, long name) {
    return Arrays.binarySearch(names, name) >= 0;
  }

  /** How many are open from the outermost of SVG or MathML on. */
  int depth() {
    return size + beyond;
  }

  /** Whether the innermost is of SVG or MathML. */
  boolean isForeign() {
    return size > 0 && kinds[size - 1] != HTML;
  }

  /**
   * A start tag was read.
   *
   * @return whether it starts an element of SVG or MathML
   */
  boolean started(long name, Tag tag, TagAttributes attributes) {
    if (size > 0 && !readsAsHtml(name)) {
      if (!breaksOut(tag, attributes)) {
        push(name, foreignKind(name, attributes), attributes);
        return true;
      }
      breakOut();
    }
    if (name == SVG_NAME || name == MATH_NAME) {
      push(name, name == SVG_NAME ? SVG : MATH, attributes);
      return true;
    }
    if (size == 0) {
      count(name, 1);
    } else if (!has(WITHOUT_CONTENT, name)) {
      endParagraph(tag);
      push(name, HTML);
    }
    return false;
  }

  /** What ends a line of text ends an open paragraph. */
  private void endParagraph(Tag tag) {
    if (tag.partsWords() && kinds[size - 1] == HTML && names[size - 1] == P_NAME) {
      size--;
    }
  }

  private boolean readsAsHtml(long name) {
    int top = kinds[size - 1];
    return top == HTML
        || (top & HTML_POINT) != 0
        || ((top & TEXT_POINT) != 0 && !has(NOT_IN_TEXT, name))
        || ((top & ANNOTATION) != 0 && name == SVG_NAME);
  }

  private static boolean breaksOut(Tag tag, TagAttributes attributes) {
    return tag.breaksOut()
        || (tag == Tag.FONT
            && (attributes.has("color") || attributes.has("face") || attributes.has("size")));
  }

  /** Ends elements of SVG and MathML up to one in which HTML may stand. */
  private void breakOut() {
    beyond = 0;
    while (size > 0
        && kinds[size - 1] != HTML
        && (kinds[size - 1] & (HTML_POINT | TEXT_POINT)) == 0) {
      size--;
    }
  }

  private int foreignKind(long name, TagAttributes attributes) {
    if ((kinds[size - 1] & SVG) != 0) {
      return has(SVG_POINTS, name) ? SVG | HTML_POINT : SVG;
    }
    if (name == ANNOTATION_NAME) {
      return holdsHtml(attributes) ? MATH | ANNOTATION | HTML_POINT : MATH | ANNOTATION;
    }
    return has(MATH_POINTS, name) ? MATH | TEXT_POINT : MATH;
  }

  private static boolean holdsHtml(TagAttributes attributes) {
    Optional<String> encoding = attributes.value("encoding");
    return encoding.isPresent()
        && (encoding.get().equalsIgnoreCase("text/html")
            || encoding.get().equalsIgnoreCase("application/xhtml+xml"));
  }

  /** A foreign element that closes itself has no content; an HTML element cannot do that. */
  private void push(long name, int kind, TagAttributes attributes) {
    if (!attributes.isSelfClosing()) {
      push(name, kind);
    }
  }

  private void push(long name, int kind) {
    if (size == DEEPEST) {
      beyond++;
      return;
    }
    if (size == names.length) {
      names = Arrays.copyOf(names, Math.max(ROOM, size * 2));
      kinds = Arrays.copyOf(kinds, names.length);
    }
    names[size] = name;
    kinds[size] = (byte) kind;
    size++;
  }

  /**
   * An end tag was read.
   *
   * @return whether it ends an element of SVG or MathML
   */
  boolean ended(long name, Tag tag) {
    if (size == 0) {
      count(name, -1);
      return false;
    }
    if (beyond > 0) {
      beyond--;
      return isForeign();
    }
    if (isForeign()) {
      if (tag == Tag.P || tag == Tag.BR) {
        breakOut();
        return false;
      }
      for (int at = size - 1; at >= 0 && kinds[at] != HTML; at--) {
        if (names[at] == name) {
          size = at;
          return true;
        }
      }
    }
    endHtml(name, tag);
    return false;
  }

  /** Ends an HTML element and what is open in it, unless SVG or MathML keeps the tag inside. */
  private void endHtml(long name, Tag tag) {
    if (tag == Tag.BODY || tag == Tag.FORM || name == HTML_NAME) {
      // What is open in these stays open.
      return;
    }
    for (int at = size - 1; at >= 0; at--) {
      boolean isHtml = kinds[at] == HTML;
      if (isHtml && names[at] == name) {
        size = at;
        return;
      }
      boolean isInTheWay = isHtml && Tag.of(names[at]).partsWords() && !tag.partsWords();
      if (isInTheWay || (kinds[at] & ANY_POINT) != 0) {
        return;
      }
    }
    if (outside[place(name)] > 0) {
      size = 0;
      count(name, -1);
    }
  }

  private void count(long name, int change) {
    int place = place(name);
    int now = outside[place] + change;
    if (now >= 0 && now <= Short.MAX_VALUE) {
      outside[place] = (short) now;
    }
  }

  private static int place(long name) {
    return (int) ((name * 0x9E3779B97F4A7C15L) >>> 56);
  }
}
