package dev.comity.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/** A table of data as lines of Markdown. */
final class MarkdownTable {
  private static final int MOST_ROWS = 10_000;
  private static final int MOST_COLUMNS = 100;

  private final List<List<String>> cells = new ArrayList<>();
  private final Optional<String> caption;
  private final boolean headed;
  private final boolean layout;

  private MarkdownTable(Element table) {
    this.caption =
        Optional.ofNullable(table.selectFirst("> caption"))
            .map(InlineWriter::of)
            .filter(words -> !words.isEmpty());
    // Looked at first: tables in tables would else be written once for each around them.
    boolean holdsBlocks =
        table.select("table, pre, ul, ol, h1, h2, h3, h4").stream()
            .anyMatch(inner -> !inner.equals(table));
    Elements rows =
        holdsBlocks
            ? new Elements()
            : table.select("> thead > tr, > tbody > tr, > tfoot > tr, > tr");
    boolean firstIsHead = false;
    int columns = 0;
    for (Element row : rows) {
      if (cells.size() == MOST_ROWS) {
        break;
      }
      List<String> line = row(row);
      if (!line.isEmpty()) {
        firstIsHead |= cells.isEmpty() && row.selectFirst("> td") == null;
        cells.add(line);
        columns = Math.max(columns, line.size());
      }
    }
    this.headed = firstIsHead;
    this.layout = columns < 2 || holdsBlocks || table.attr("role").equals("presentation");
    int width = columns;
    cells.forEach(line -> fill(line, width));
  }

  static MarkdownTable of(Element table) {
    return new MarkdownTable(table);
  }

  /** Whether it only puts parts of the page beside each other. */
  boolean isLayout() {
    return layout;
  }

  Optional<String> caption() {
    return caption;
  }

  /** The head, the rule under it and the rows. A table without a head has an empty one. */
  List<String> rows() {
    List<String> lines = new ArrayList<>(cells.size() + 2);
    int width = cells.getFirst().size();
    lines.add(headed ? line(cells.getFirst()) : "|" + "  |".repeat(width));
    lines.add("|" + " --- |".repeat(width));
    cells.stream().skip(headed ? 1 : 0).map(MarkdownTable::line).forEach(lines::add);
    return lines;
  }

  private static List<String> row(Element row) {
    List<String> line = new ArrayList<>();
    for (Element cell : row.select("> td, > th")) {
      String span = cell.attr("colspan");
      int width = span.matches("[0-9]{1,3}") ? Math.max(1, Integer.parseInt(span)) : 1;
      if (line.size() + width > MOST_COLUMNS) {
        break;
      }
      line.add(InlineWriter.of(cell).replace("\\\n", " "));
      fill(line, line.size() + width - 1);
    }
    return line;
  }

  private static void fill(List<String> line, int width) {
    while (line.size() < width) {
      line.add("");
    }
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
