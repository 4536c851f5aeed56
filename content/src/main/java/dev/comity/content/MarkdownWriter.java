package dev.comity.content;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;

/**
 * Writes an element as Markdown: headings, paragraphs, lists, quotations, code and tables. The
 * tree's depth is bounded by its parser, so recursion is, too.
 */
final class MarkdownWriter {
  /** Of lists and quotations; deeper ones are written as those around them. */
  private static final int DEEPEST = 20;

  private static final Set<String> BLOCKS =
      Set.of(
          "address",
          "article",
          "aside",
          "blockquote",
          "body",
          "center",
          "dd",
          "details",
          "dialog",
          "dir",
          "div",
          "dl",
          "dt",
          "fieldset",
          "figcaption",
          "figure",
          "footer",
          "form",
          "h1",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
          "header",
          "hgroup",
          "hr",
          "legend",
          "li",
          "main",
          "menu",
          "nav",
          "ol",
          "p",
          "pre",
          "search",
          "section",
          "summary",
          "table",
          "tbody",
          "td",
          "tfoot",
          "th",
          "thead",
          "tr",
          "ul");

  private final Lines lines = new Lines();
  private int nested;

  private MarkdownWriter() {}

  static String write(Element element) {
    MarkdownWriter writer = new MarkdownWriter();
    if (element.normalName().equals("table")) {
      writer.table(element);
    } else {
      writer.blocks(element);
    }
    return writer.lines.toString();
  }

  /** Blocks one after the other; what stands between them are paragraphs. */
  private void blocks(Element parent) {
    InlineWriter paragraph = new InlineWriter();
    for (Node child : parent.childNodes()) {
      if (lines.isFull()) {
        return;
      }
      if (child instanceof Element element && holdsBlock(element)) {
        paragraph(paragraph.finished());
        if (!InlineWriter.isSilent(element)) {
          block(element);
        }
      } else {
        paragraph.node(child);
      }
    }
    paragraph(paragraph.finished());
  }

  /** Blocks in an inline element, such as a link around a card, are written as blocks. */
  private static boolean holdsBlock(Element element) {
    return BLOCKS.contains(element.normalName())
        || element.children().stream().anyMatch(child -> BLOCKS.contains(child.normalName()));
  }

  private void paragraph(String words) {
    if (!words.isEmpty()) {
      lines.block();
      for (String line : words.split("\n", -1)) {
        lines.line(guarded(line));
      }
    }
  }

  /** What would be a heading, a list or a rule at the start of a line is escaped. */
  private static String guarded(String line) {
    String safe = line;
    int digits = 0;
    while (digits < line.length() && line.charAt(digits) >= '0' && line.charAt(digits) <= '9') {
      digits++;
    }
    if (digits > 0 && digits < line.length() && ".)".indexOf(line.charAt(digits)) >= 0) {
      safe = line.substring(0, digits) + "\\" + line.substring(digits);
    } else if (!line.isEmpty() && "#+->=".indexOf(line.charAt(0)) >= 0) {
      safe = "\\" + line;
    }
    return safe;
  }

  private void block(Element element) {
    String name = element.normalName();
    switch (name) {
      case "h1", "h2", "h3", "h4", "h5", "h6" -> heading(element, name.charAt(1) - '0');
      case "ul", "ol", "menu", "dir" -> list(element, name.equals("ol"));
      case "blockquote" -> nested("> ", "> ", element);
      case "pre" -> CodeBlocks.write(element, lines);
      case "table" -> table(element);
      case "hr" -> {
        lines.block();
        lines.line("---");
      }
      case "dt", "summary", "legend" -> {
        String words = InlineWriter.of(element);
        paragraph(words.isEmpty() || words.startsWith("**") ? words : "**" + words + "**");
      }
      default -> blocks(element);
    }
  }

  private void heading(Element element, int rank) {
    String words = InlineWriter.of(element).replace("\\\n", " ");
    if (!words.isEmpty()) {
      lines.block();
      lines.line("#".repeat(rank) + " " + words);
    }
  }

  private void list(Element list, boolean numbered) {
    int number = start(list);
    Element around = list.parent();
    if (around == null || !around.normalName().equals("li")) {
      lines.block();
    }
    for (Element item : list.children()) {
      if (lines.isFull()) {
        return;
      }
      if (item.normalName().equals("li")) {
        String mark = numbered ? number + ". " : "- ";
        number++;
        nested(mark, " ".repeat(mark.length()), item);
      } else if (!InlineWriter.isSilent(item)) {
        block(item);
      }
    }
  }

  private static int start(Element list) {
    String start = list.attr("start");
    return start.matches("[0-9]{1,6}") ? Integer.parseInt(start) : 1;
  }

  /** Whatever is empty has no mark. */
  private void nested(String mark, String further, Element element) {
    if (nested == DEEPEST) {
      blocks(element);
    } else if (element.hasText() || element.selectFirst("img") != null) {
      nested++;
      if (mark.startsWith(">")) {
        lines.block();
      }
      lines.inside(mark, further, () -> blocks(element));
      nested--;
    }
  }

  /** A table for the layout of a page is written as its cells, one after the other. */
  private void table(Element table) {
    MarkdownTable grid = MarkdownTable.of(table);
    if (grid.isLayout()) {
      table.select("> caption, > * > tr > td, > * > tr > th, > tr > td").forEach(this::blocks);
    } else {
      grid.caption().ifPresent(this::paragraph);
      lines.block();
      grid.rows().forEach(lines::line);
    }
  }
}
