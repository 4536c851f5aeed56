package dev.comity.app.output;

import dev.comity.app.text.Fields;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes fields as a record of CSV by RFC 4180. A text that a spreadsheet would take for a formula
 * gets an apostrophe in front, and so does one that begins with an apostrophe. Without that first
 * apostrophe, each cell is the text as it was.
 */
public final class CsvLines {
  /** What ends a record. */
  public static final String END = "\r\n";

  private CsvLines() {}

  public static String header(List<String> names) {
    return String.join(",", names) + END;
  }

  /** Without what ends it. */
  public static String record(Fields fields) {
    return fields.list().stream()
        .map(field -> cell(field.value()))
        .collect(Collectors.joining(","));
  }

  /** The names, separated by tabs, with the end of the line. */
  public static String tabHeader(List<String> names) {
    return String.join("\t", names) + "\n";
  }

  /**
   * A line of tab-separated values without its end. There are no quotes: a tab, a line break and a
   * backslash are written as two characters, {@code \\t}, {@code \\n}, {@code \\r} and {@code
   * \\\\}.
   */
  public static String tabRecord(Fields fields) {
    return fields.list().stream()
        .map(field -> field.value().map(CsvLines::tabCell).orElse(""))
        .collect(Collectors.joining("\t"));
  }

  private static String tabCell(Object value) {
    return value instanceof Number number
        ? number.toString()
        : harmless(flat(value))
            .replace("\\", "\\\\")
            .replace("\t", "\\t")
            .replace("\n", "\\n")
            .replace("\r", "\\r");
  }

  private static String cell(Optional<Object> value) {
    return value.map(CsvLines::cell).orElse("");
  }

  private static String cell(Object value) {
    return value instanceof Number number ? number.toString() : text(flat(value));
  }

  /** A value as one text: nested ones as JSON, a list with blanks between. */
  public static String flat(Object value) {
    return switch (value) {
      case Fields fields -> JsonLines.line(fields);
      case List<?> list when list.stream().anyMatch(Fields.class::isInstance) ->
          JsonLines.list(list);
      case List<?> list -> list.stream().map(Fields::text).collect(Collectors.joining(" "));
      default -> Fields.text(value);
    };
  }

  /** An empty text is written with quotes: without them nothing is there. */
  private static String text(String value) {
    String harmless = harmless(value);
    boolean plain =
        !harmless.isEmpty() && harmless.chars().noneMatch(unit -> ",\"\r\n".indexOf(unit) >= 0);
    return plain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
  }

  private static String harmless(String value) {
    return isFormula(value) ? "'" + value : value;
  }

  private static boolean isFormula(String value) {
    return !value.isEmpty() && "=+-@\t\r\n'".indexOf(value.charAt(0)) >= 0;
  }
}
