package dev.comity.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/** A table of data as lines of Markdown. */
final class Table {
  private static final int MOST_ROWS = 10_000;
  private static final int MOST_COLUMNS = 100;

  private final List<List<String>> cells = new ArrayList<>();
  private final Optional<String> caption;
  private final boolean headed;
  private final boolean layout;

  private Table(Element table) {
    this.caption =
        Optional.ofNullable(table.selectFirst("> caption"))
            .map(InlineWriter::of)
            .filter(words -> !words.isEmpty());
    Elements rows = table.select("> thead > tr, > tbody > tr, > tfoot > tr, > tr");
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
    this.layout =
        columns < 2
            || table.selectFirst("table table, pre, ul, ol, h1, h2, h3, h4") != null
            || table.attr("role").equals("presentation");
    int width = columns;
    cells.forEach(line -> fill(line, width));
  }

  static Table of(Element table) {
    return new Table(table);
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
    cells.stream().skip(headed ? 1 : 0).map(Table::line).forEach(lines::add);
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
