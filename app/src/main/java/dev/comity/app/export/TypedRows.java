package dev.comity.app.export;

import dev.comity.app.output.PageOutput;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.parquet.ParquetColumn;
import dev.comity.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes rows as a Parquet file. Loaded only for that. */
final class TypedRows implements RowWriter {
  private final List<ParquetColumn> columns;
  private final ParquetTable table;

  private TypedRows(List<ParquetColumn> columns, ParquetTable table) {
    this.columns = columns;
    this.table = table;
  }

  /**
   * @param more names of further columns, of text
   */
  static TypedRows create(String out, ExportTable of, List<String> more) throws IOException {
    if (out.equals(PageOutput.STANDARD_OUTPUT)) {
      throw new WrongSetting("a Parquet file needs a name: say it with --out pages.parquet");
    }
    Path file = Path.of(out);
    // The library's own message names no fix.
    PageOutput.bytes(out).close();
    List<ParquetColumn> columns = new ArrayList<>(ColumnTypes.of(of));
    more.forEach(name -> columns.add(new ParquetColumn(name, ParquetColumn.Type.TEXT)));
    return new TypedRows(columns, ParquetTable.create(file, columns));
  }

  @Override
  public void write(Fields row) throws IOException {
    table.write(ColumnTypes.values(columns, row));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
