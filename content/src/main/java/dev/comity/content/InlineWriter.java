package dev.comity.content;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** One paragraph of Markdown: text, emphasis, code, links and images. */
final class InlineWriter {
  private static final Set<String> SILENT =
      Set.of(
          "script",
          "style",
          "template",
          "noscript",
          "iframe",
          "svg",
          "math",
          "button",
          "input",
          "select",
          "textarea",
          "object",
          "audio",
          "video",
          "canvas",
          "head",
          "title",
          "map");

  /** Links that headings have to themselves. */
  private static final Set<String> ANCHORS = Set.of("", "#", "¶", "§", "🔗", "​");

  private static final int LONGEST_ALT = 500;

  /** Only a line break makes a newline: those of the text are spaces. */
  private static final String BREAK = "\\\n";

  private final StringBuilder out = new StringBuilder();
  private boolean spaceDue;

  static boolean isSilent(Element element) {
    return SILENT.contains(element.normalName()) || element.hasAttr("hidden");
  }

  /** The children of an element as one paragraph; empty if there is nothing to read. */
  static String of(Element element) {
    InlineWriter writer = new InlineWriter();
    writer.children(element);
    return writer.finished();
  }

  String finished() {
    String written = out.toString();
    out.setLength(0);
    spaceDue = false;
    while (written.endsWith(BREAK)) {
      written = written.substring(0, written.length() - BREAK.length());
    }
    return written.strip();
  }

  private void children(Element element) {
    for (Node child : element.childNodes()) {
      node(child);
    }
  }

  void node(Node node) {
    if (node instanceof TextNode words) {
      text(words.getWholeText());
    } else if (node instanceof Element element && !isSilent(element)) {
      element(element);
    }
  }

  private void element(Element element) {
    switch (element.normalName()) {
      case "br" -> lineBreak();
      case "img" -> image(element);
      case "a" -> link(element);
      case "strong", "b" -> marked(element, "**");
      case "em", "i", "cite", "var" -> marked(element, "*");
      case "del", "s", "strike" -> marked(element, "~~");
      case "code", "kbd", "samp", "tt" -> code(element);
      case "wbr" -> {}
      default -> {
        spaceDue |= element.isBlock();
        children(element);
        spaceDue |= element.isBlock();
      }
    }
  }

  private void text(String words) {
    for (int at = 0; at < words.length(); at++) {
      char character = words.charAt(at);
      if (Character.isWhitespace(character) || character == '\u00a0' || character < ' ') {
        spaceDue = true;
      } else {
        space();
        escape(
            character,
            at > 0 ? words.charAt(at - 1) : ' ',
            at + 1 < words.length() ? words.charAt(at + 1) : ' ');
      }
    }
  }

  private void space() {
    boolean atStart = out.isEmpty() || out.charAt(out.length() - 1) == '\n';
    if (spaceDue && !atStart) {
      out.append(' ');
    }
    spaceDue = false;
  }

  /** An underscore within a word means nothing. */
  private void escape(char character, char before, char after) {
    boolean within =
        character == '_' && Character.isLetterOrDigit(before) && Character.isLetterOrDigit(after);
    if ("\\`*_[]<~|".indexOf(character) >= 0 && !within) {
      out.append('\\');
    }
    out.append(character);
  }

  private void lineBreak() {
    if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
      out.append(BREAK);
    }
    spaceDue = false;
  }

  private void image(Element element) {
    String target = target(element.absUrl("src"));
    if (!target.isEmpty()) {
      space();
      String alt = Lines.oneLine(element.attr("alt"), LONGEST_ALT);
      out.append("![").append(escaped(alt)).append("](").append(target).append(')');
    }
  }

  private void link(Element element) {
    String target = target(element.absUrl("href"));
    String words = of(element);
    boolean toItself =
        element.attr("href").startsWith("#") && ANCHORS.contains(element.text().strip());
    spaceDue |= startsWithSpace(element);
    if (!words.isEmpty() && !toItself) {
      space();
      out.append(target.isEmpty() ? words : "[" + words + "](" + target + ")");
    }
    spaceDue |= endsWithSpace(element);
  }

  private void marked(Element element, String mark) {
    String words = of(element);
    spaceDue |= startsWithSpace(element);
    if (!words.isEmpty()) {
      space();
      out.append(mark).append(words).append(mark);
    }
    spaceDue |= endsWithSpace(element);
  }

  private void code(Element element) {
    String words = Lines.oneLine(element.text(), Lines.MOST);
    if (!words.isEmpty()) {
      space();
      out.append(CodeBlocks.inline(words));
    }
  }

  private static boolean startsWithSpace(Element element) {
    Node edge = element;
    while (edge instanceof Element inner && inner.childNodeSize() > 0) {
      edge = inner.childNode(0);
    }
    String words = edge instanceof TextNode text ? text.getWholeText() : "";
    return !words.isEmpty() && Character.isWhitespace(words.charAt(0));
  }

  private static boolean endsWithSpace(Element element) {
    Node edge = element;
    while (edge instanceof Element inner && inner.childNodeSize() > 0) {
      edge = inner.childNode(inner.childNodeSize() - 1);
    }
    String words = edge instanceof TextNode text ? text.getWholeText() : "";
    return !words.isEmpty() && Character.isWhitespace(words.charAt(words.length() - 1));
  }

  private static String escaped(String words) {
    InlineWriter writer = new InlineWriter();
    writer.text(words);
    return writer.out.toString();
  }

  /** A reference of the web, such that no sign in it ends the link; empty for every other. */
  private static String target(String absolute) {
    boolean ofTheWeb =
        absolute.startsWith("http://")
            || absolute.startsWith("https://")
            || absolute.startsWith("mailto:");
    return ofTheWeb
        ? absolute
            .replace(" ", "%20")
            .replace("(", "%28")
            .replace(")", "%29")
            .replace("<", "%3C")
            .replace(">", "%3E")
            .replace("\\", "%5C")
            .replaceAll("[\\x00-\\x1f]", "")
        : "";
  }
}
