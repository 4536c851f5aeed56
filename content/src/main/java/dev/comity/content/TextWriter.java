package dev.comity.content;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/**
 * The text of an element: paragraphs with an empty line between them, a line for each {@code br}.
 */
final class TextWriter implements NodeVisitor {
  private static final Set<String> SILENT =
      Set.of("script", "style", "template", "noscript", "iframe", "svg", "math", "head", "title");

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder line = new StringBuilder();
  private int silent;
  private int preformatted;
  private boolean paragraphDue;

  private TextWriter() {}

  static String write(Element element) {
    TextWriter writer = new TextWriter();
    writer.traverse(element);
    writer.endLine();
    return writer.text.toString();
  }

  @Override
  public void head(Node node, int depth) {
    if (node instanceof Element element) {
      silent += SILENT.contains(element.normalName()) ? 1 : 0;
      part(element);
      preformatted += element.normalName().equals("pre") ? 1 : 0;
    } else if (node instanceof TextNode words && silent == 0 && text.length() < Lines.MOST) {
      if (preformatted > 0) {
        preformatted(words.getWholeText());
      } else {
        line.append(words.getWholeText());
      }
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (node instanceof Element element) {
      part(element);
      preformatted -= element.normalName().equals("pre") ? 1 : 0;
      silent -= SILENT.contains(element.normalName()) ? 1 : 0;
    }
  }

  private void part(Element element) {
    String name = element.normalName();
    if (name.equals("br")) {
      endLine();
    } else if (name.equals("li") || name.equals("tr") || name.equals("dt") || name.equals("dd")) {
      endLine();
    } else if (name.equals("td") || name.equals("th")) {
      line.append(' ');
    } else if (element.isBlock()) {
      endLine();
      paragraphDue = true;
    }
  }

  private void preformatted(String words) {
    for (String each : words.split("\n", -1)) {
      if (!each.isBlank()) {
        separate();
        text.append(each.stripTrailing());
      }
    }
  }

  private void endLine() {
    String written = Lines.oneLine(line.toString(), Lines.MOST);
    line.setLength(0);
    if (!written.isEmpty()) {
      separate();
      text.append(written);
    }
  }

  private void separate() {
    if (!text.isEmpty()) {
      text.append(paragraphDue ? "\n\n" : "\n");
    }
    paragraphDue = false;
  }
}
