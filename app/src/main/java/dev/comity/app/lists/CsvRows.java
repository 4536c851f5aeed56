package dev.comity.app.lists;

import dev.comity.app.lists.BoundedLines.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Rows of values with a separator, and a header line with their names, as RFC 4180 has it: a value
 * in quotes may hold separators, line ends and doubled quotes. A row is called by the number of its
 * first line. One with more values than the header, or with a quote that never ends, cannot be
 * read; the lines behind that quote are rows again.
 */
record CsvRows(char separator) implements RowReader {
  /** In characters; a longer row has a quote that never ends. */
  private static final int LONGEST = 1_000_000;

  @Override
  public void read(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException {
    try (Source lines = new Source(BoundedLines.open(list), new ArrayDeque<>())) {
      List<String> header = List.of();
      for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
        List<String> values = values(lines.row(line.get()));
        if (line.get().number() == 1) {
          header = values;
        } else if (values.size() > 1 || !values.getFirst().isBlank()) {
          rows.accept(line.get().number(), byName(header, values));
        }
      }
    }
  }

  private static Map<String, String> byName(List<String> header, List<String> values) {
    Map<String, String> named = new HashMap<>();
    for (int at = 0; at < values.size(); at++) {
      if (at < header.size()) {
        named.put(header.get(at), values.get(at));
      } else if (!values.get(at).isBlank()) {
        return Map.of();
      }
    }
    return named;
  }

  /** Lines, of which some were read in vain. */
  private record Source(BoundedLines lines, Deque<Line> again) implements AutoCloseable {
    Optional<Line> next() throws IOException {
      return again.isEmpty() ? lines.next() : Optional.of(again.removeFirst());
    }

    /** The text of the row that begins here. */
    String row(Line first) throws IOException {
      StringBuilder text = new StringBuilder(first.text());
      Deque<Line> more = new ArrayDeque<>();
      boolean open = first.whole() && isOdd(first.text());
      while (open && text.length() < LONGEST) {
        Optional<Line> next = next();
        if (next.isEmpty()) {
          break;
        }
        more.addLast(next.get());
        text.append('\n').append(next.get().text());
        open = !isOdd(next.get().text());
      }
      if (open) {
        while (!more.isEmpty()) {
          again.addFirst(more.removeLast());
        }
        return first.text();
      }
      return text.toString();
    }

    private static boolean isOdd(String text) {
      return text.chars().filter(character -> character == '"').count() % 2 == 1;
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  private List<String> values(String text) {
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
