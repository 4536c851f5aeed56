package dev.comity.parquet;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a Parquet file as texts by column name. Absent values are left out. */
public final class ParquetRows {
  private ParquetRows() {}

  /**
   * The rows in order, read as they are asked for. The stream must be closed.
   *
   * @throws IOException if it is no Parquet file
   */
  public static Stream<Map<String, String>> read(Path file) throws IOException {
    try {
      return ParquetReader.streamContent(file.toFile(), new Texts());
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    } catch (RuntimeException broken) {
      throw new IOException(broken.getMessage(), broken);
    }
  }

  private static final class Texts
      implements Hydrator<Map<String, String>, Map<String, String>, String[]> {
    @Override
    public Map<String, String> start() {
      return new LinkedHashMap<>();
    }

    @Override
    public Map<String, String> add(
        Map<String, String> row, String[] heading, @Nullable Object value) {
      if (value != null) {
        row.put(String.join(".", heading), value.toString());
      }
      return row;
    }

    @Override
    public Map<String, String> finish(Map<String, String> row) {
      return row;
    }
  }
}
