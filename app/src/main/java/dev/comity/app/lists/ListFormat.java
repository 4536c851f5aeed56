package dev.comity.app.lists;

import dev.comity.app.settings.WrongSetting;
import dev.comity.parquet.ParquetRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** What a list is, by the ending of its name. */
public enum ListFormat {
  /** A URL a line; empty lines and lines that begin with # are passed over. */
  TXT,
  /** With a header line. */
  CSV,
  /** The same with tabs. */
  TSV,
  /** An object a line. */
  JSONL,
  /** A table with its types; values count as texts. */
  PARQUET;

  public RowReader reader() {
    return switch (this) {
      case TXT -> ListLines::lines;
      case CSV -> new CsvRows(',');
      case TSV -> new CsvRows('\t');
      case JSONL -> ListLines::objects;
      case PARQUET -> ListFormat::parquet;
    };
  }

  private static void parquet(Path list, BiConsumer<Long, Map<String, String>> rows)
      throws IOException {
    try (Stream<Map<String, String>> all = ParquetRows.read(list)) {
      Iterator<Map<String, String>> each = all.iterator();
      for (long number = 1; hasNext(each); number++) {
        rows.accept(number, each.next());
      }
    }
  }

  /** Parquet's own readers throw anything at a damaged file. */
  private static boolean hasNext(Iterator<Map<String, String>> rows) throws IOException {
    try {
      return rows.hasNext();
    } catch (RuntimeException damaged) {
      throw new IOException(String.valueOf(damaged.getMessage()), damaged);
    }
  }

  /**
   * The format of this file.
   *
   * @throws WrongSetting for an ending that no format has
   */
  public static ListFormat of(Path list) {
    String name = String.valueOf(list.getFileName()).toLowerCase(Locale.ROOT);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "txt", "lst", "urls" -> TXT;
      case "csv" -> CSV;
      case "tsv" -> TSV;
      case "jsonl", "ndjson" -> JSONL;
      case "parquet" -> PARQUET;
      default ->
          throw new WrongSetting(
              "the list is %s, and its ending is none of .txt, .csv, .tsv, .jsonl, .parquet"
                  .formatted(list.getFileName()));
    };
  }
}
