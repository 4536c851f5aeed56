package dev.comity.app.lists;

import dev.comity.app.settings.WrongSetting;
import java.nio.file.Path;
import java.util.Locale;

/** What a list is, by the ending of its name. */
public enum ListFormat {
  /** A URL a line; empty lines and lines that begin with # are passed over. */
  TXT,
  /** With a header line. */
  CSV,
  /** The same with tabs. */
  TSV,
  /** An object a line. */
  JSONL;

  public RowReader reader() {
    return switch (this) {
      case TXT -> ListLines::lines;
      case CSV -> new CsvRows(',');
      case TSV -> new CsvRows('\t');
      case JSONL -> ListLines::objects;
    };
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
      default ->
          throw new WrongSetting(
              "the list is %s, and its ending is none of .txt, .csv, .tsv, .jsonl"
                  .formatted(list.getFileName()));
    };
  }
}
