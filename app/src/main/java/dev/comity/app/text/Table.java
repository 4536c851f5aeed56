package dev.comity.app.text;

import dev.comity.core.util.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Rows under headings, as wide as they need to be. Where the window is narrower the least important
 * columns go, then the first is cut: a line that wraps is no table.
 */
public final class Table {
  private static final int NARROWEST = 12;
  private static final String GAP = "  ";

  /** A heading; numbers stand on the right. */
  public record Heading(String name, boolean right) {
    public static Heading left(String name) {
      return new Heading(name, false);
    }

    public static Heading right(String name) {
      return new Heading(name, true);
    }
  }

  /** A row, and what is said below it. */
  private record Row(List<String> cells, List<String> below) {}

  private final List<Heading> headings;
  private final Set<String> dispensable;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param dispensable the headings of columns that may go
   */
  public Table(List<Heading> headings, Set<String> dispensable) {
    this.headings = List.copyOf(headings);
    this.dispensable = Set.copyOf(dispensable);
  }

  public void row(List<String> cells, List<String> below) {
    rows.add(new Row(cells.stream().map(Printable::text).toList(), List.copyOf(below)));
  }

  /**
   * The whole as lines.
   *
   * @param columns how wide the window is; 0 where there is none
   */
  public List<String> lines(int columns) {
    List<Integer> shown = new ArrayList<>();
    for (int column = 0; column < headings.size(); column++) {
      shown.add(column);
    }
    int[] widths = widths();
    for (int column = headings.size() - 1; column > 0 && columns > 0; column--) {
      if (total(shown, widths) - widths[0] + NARROWEST > columns
          && dispensable.contains(headings.get(column).name())) {
        shown.remove(Integer.valueOf(column));
      }
    }
    if (columns > 0 && total(shown, widths) > columns) {
      widths[0] = Math.max(NARROWEST, widths[0] - (total(shown, widths) - columns));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(headings.stream().map(Heading::name).toList(), shown, widths));
    lines.add("─".repeat(total(shown, widths)));
    for (Row row : rows) {
      lines.add(line(row.cells(), shown, widths));
      row.below().forEach(words -> lines.add("  └─ " + words));
    }
    return columns == 0 ? lines : lines.stream().map(line -> Cells.cut(line, columns)).toList();
  }

  private int[] widths() {
    int[] widths = new int[headings.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = headings.get(column).name().length();
      for (Row row : rows) {
        widths[column] = Math.max(widths[column], length(row.cells().get(column)));
      }
    }
    return widths;
  }

  private static int total(List<Integer> shown, int[] widths) {
    return shown.stream().mapToInt(column -> widths[column]).sum()
        + GAP.length() * (shown.size() - 1);
  }

  private String line(List<String> cells, List<Integer> shown, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column : shown) {
      String cell = Cells.cut(cells.get(column), widths[column]);
      String blank = " ".repeat(widths[column] - length(cell));
      line.append(line.isEmpty() ? "" : GAP);
      line.append(headings.get(column).right() ? blank + cell : cell + blank);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return Cells.width(text);
  }
}
