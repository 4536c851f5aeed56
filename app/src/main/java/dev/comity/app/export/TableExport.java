package dev.comity.app.export;

import dev.comity.app.output.PageOutput;
import dev.comity.store.report.FilteredRows;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes one table into one file.
 *
 * @param out the file; {@code -} is standard output
 * @param watched whether the rows go to a terminal
 */
public record TableExport(ExportTable table, ExportFormat format, String out, boolean watched) {

  public void write(FilteredRows rows) throws IOException {
    try (RowWriter writer = writer()) {
      table.each(
          rows,
          row -> {
            try {
              writer.write(row);
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          });
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private RowWriter writer() throws IOException {
    return format == ExportFormat.PARQUET
        ? TypedRows.create(out, table)
        : new TextRows(PageOutput.packed(out), format, table.names(), watched);
  }
}
