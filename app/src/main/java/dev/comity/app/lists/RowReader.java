package dev.comity.app.lists;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reads a list row by row. */
@FunctionalInterface
public interface RowReader {
  /**
   * Reads to the end.
   *
   * @param rows takes each row: its number from 1, and its values by column. An empty row is one
   *     that cannot be read
   */
  void read(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException;
}
