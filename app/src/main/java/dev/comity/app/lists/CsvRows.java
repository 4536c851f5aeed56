package dev.comity.app.lists;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows of values with a separator, and a header line with their names, as RFC 4180 has it: a value
 * in quotes may hold separators, line ends and doubled quotes.
 */
record CsvRows(char separator) implements RowReader {
  /** In characters; a longer row has a quote that never ends. */
  private static final int LONGEST = 1_000_000;

  @Override
  public void read(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(list)) {
      long number = 1;
      List<String> header = row(in);
      for (List<String> row = row(in); !row.isEmpty(); row = row(in)) {
        number++;
        Map<String, String> values = new HashMap<>();
        for (int at = 0; at < Math.min(header.size(), row.size()); at++) {
          values.put(header.get(at), row.get(at));
        }
        if (row.size() > 1 || !row.getFirst().isBlank()) {
          rows.accept(number, values);
        }
      }
    }
  }

  /** The values of the next row; none at the end of the list. */
  private List<String> row(BufferedReader in) throws IOException {
    @Nullable String line = in.readLine();
    if (line == null) {
      return List.of();
    }
    StringBuilder text = new StringBuilder(line.startsWith("\ufeff") ? line.substring(1) : line);
    while (isOpen(text) && text.length() < LONGEST) {
      @Nullable String next = in.readLine();
      if (next == null) {
        break;
      }
      text.append('\n').append(next);
    }
    return values(text);
  }

  private static boolean isOpen(StringBuilder text) {
    return text.chars().filter(character -> character == '"').count() % 2 == 1;
  }

  private List<String> values(StringBuilder text) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < text.length(); at++) {
      char character = text.charAt(at);
      boolean doubled = quoted && at + 1 < text.length() && text.charAt(at + 1) == '"';
      if (character == '"' && doubled) {
        value.append('"');
        at++;
      } else if (character == '"') {
        quoted = !quoted;
      } else if (character == separator && !quoted) {
        values.add(value.toString());
        value.setLength(0);
      } else {
        value.append(character);
      }
    }
    values.add(value.toString());
    return values;
  }
}
