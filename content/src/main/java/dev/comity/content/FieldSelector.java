package dev.comity.content;

import java.util.ArrayList;
import java.util.List;
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
      throw new IllegalArgumentException("no CSS selector: " + broken.getMessage(), broken);
    }
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
