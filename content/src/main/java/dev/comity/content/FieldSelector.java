package dev.comity.content;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;
import org.jsoup.select.Selector.SelectorParseException;

/**
 * A CSS selector, and which attribute of the elements it finds is wanted: {@code h1} or {@code
 * a.more@href}. Without an attribute it is their text. References are made absolute.
 */
public final class FieldSelector {
  /** Values of one page; more are left out. */
  static final int MOST = 1_000;

  /** In characters, of one value. */
  static final int LONGEST = 10_000;

  private static final Pattern UNEXPECTED =
      Pattern.compile("unexpected token at '(.*)'", Pattern.DOTALL);

  private final Evaluator evaluator;
  private final String attribute;

  private FieldSelector(Evaluator evaluator, String attribute) {
    this.evaluator = evaluator;
    this.attribute = attribute;
  }

  /**
   * Reads a selector of the user's.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static FieldSelector of(String written) {
    int at = written.lastIndexOf('@');
    boolean hasAttribute = at >= 0 && written.substring(at + 1).matches("[A-Za-z_][\\w:.-]*");
    String css = (hasAttribute ? written.substring(0, at) : written).strip();
    if (css.isEmpty()) {
      throw new IllegalArgumentException("the selector is empty: \"" + written + "\"");
    }
    try {
      return new FieldSelector(
          QueryParser.parse(css), hasAttribute ? written.substring(at + 1) : "");
    } catch (SelectorParseException | IllegalArgumentException broken) {
      throw new IllegalArgumentException(refusal(css, String.valueOf(broken.getMessage())), broken);
    }
  }

  /** With the place of the first character that cannot be read, from 1, where it is known. */
  private static String refusal(String css, String why) {
    Matcher token = UNEXPECTED.matcher(why);
    int at = token.find() ? css.lastIndexOf(token.group(1)) : -1;
    return at < 0
        ? "no CSS selector: " + why
        : "no CSS selector: character %d is not expected: %s".formatted(at + 1, css.substring(at));
  }

  List<String> in(Document document) {
    List<String> found = new ArrayList<>();
    for (Element element : document.select(evaluator)) {
      if (found.size() == MOST) {
        break;
      }
      if (attribute.isEmpty()) {
        found.add(Lines.oneLine(element.text(), LONGEST));
      } else if (element.hasAttr(attribute)) {
        String absolute = isReference() ? element.absUrl(attribute) : "";
        found.add(Lines.oneLine(absolute.isEmpty() ? element.attr(attribute) : absolute, LONGEST));
      }
    }
    return List.copyOf(found);
  }

  private boolean isReference() {
    return attribute.equalsIgnoreCase("href") || attribute.equalsIgnoreCase("src");
  }
}
