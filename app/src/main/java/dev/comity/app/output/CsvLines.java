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

  private static String cell(Optional<Object> value) {
    return value.map(CsvLines::cell).orElse("");
  }

  private static String cell(Object value) {
    return switch (value) {
      case Number number -> number.toString();
      case Fields fields -> text(JsonLines.line(fields));
      case List<?> list when list.stream().anyMatch(Fields.class::isInstance) ->
          text(JsonLines.list(list));
      case List<?> list -> text(list.stream().map(Fields::text).collect(Collectors.joining(" ")));
      default -> text(Fields.text(value));
    };
  }

  /** An empty text is written with quotes: without them nothing is there. */
  private static String text(String value) {
    String harmless = isFormula(value) ? "'" + value : value;
    boolean plain =
        !harmless.isEmpty() && harmless.chars().noneMatch(unit -> ",\"\r\n".indexOf(unit) >= 0);
    return plain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
  }

  private static boolean isFormula(String value) {
    return !value.isEmpty() && "=+-@\t\r\n'".indexOf(value.charAt(0)) >= 0;
  }
}
