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
    SelectedColumns selected =
        table == ExportTable.PAGES && format != ExportFormat.JSONL
            ? SelectedColumns.of(table.names(), rows.fieldNames())
            : SelectedColumns.NONE;
    try (RowWriter writer = writer(selected)) {
      table.each(
          rows,
          row -> {
            try {
              writer.write(selected.added(row));
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          });
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private RowWriter writer(SelectedColumns selected) throws IOException {
    return format == ExportFormat.PARQUET
        ? TypedRows.create(out, table, selected.names())
        : new TextRows(PageOutput.packed(out), format, selected.after(table.names()), watched);
  }
}
