package dev.comity.app.export;

import dev.comity.app.output.CsvLines;
import dev.comity.app.output.JsonLines;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * Writes rows as lines and keeps none. CSV holds what sites wrote to the letter, unless it goes to
 * a terminal; JSON is escaped in any case.
 */
final class TextRows implements RowWriter {
  private final Writer out;
  private final ExportFormat format;
  private final boolean watched;

  /**
   * @param names the columns; their header is written also of an empty table
   * @param watched whether the rows go to a terminal
   */
  TextRows(Writer out, ExportFormat format, List<String> names, boolean watched)
      throws IOException {
    this.out = out;
    this.format = format;
    this.watched = watched;
    switch (format) {
      case CSV -> out.write(CsvLines.header(names));
      case TSV -> out.write(CsvLines.tabHeader(names));
      case JSONL, PARQUET -> {
        // Each line of JSON has its names.
      }
    }
  }

  @Override
  public void write(Fields row) throws IOException {
    switch (format) {
      case CSV -> out.write(shown(CsvLines.record(row)) + CsvLines.END);
      case TSV -> out.write(shown(CsvLines.tabRecord(row)) + "\n");
      case JSONL, PARQUET -> out.write(JsonLines.line(row) + "\n");
    }
  }

  private String shown(String record) {
    return watched ? Printable.text(record) : record;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
