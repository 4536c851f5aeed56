package dev.comity.app.export;

import dev.comity.app.output.PageTable;
import dev.comity.app.text.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of pages as columns of their own, behind those that every table of pages has. A field
 * with the name of such a column is called {@code field_NAME} here.
 *
 * @param columns the name of each field, by that of its column
 */
record SelectedColumns(Map<String, String> columns) {
  static final SelectedColumns NONE = new SelectedColumns(Map.of());

  /**
   * @param taken the names of the other columns
   */
  static SelectedColumns of(List<String> taken, List<String> fields) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (String field : fields) {
      String column = field;
      while (taken.contains(column) || columns.containsKey(column)) {
        column = "field_" + column;
      }
      columns.put(column, field);
    }
    return new SelectedColumns(columns);
  }

  List<String> names() {
    return List.copyOf(columns.keySet());
  }

  List<String> after(List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.addAll(names());
    return all;
  }

  /** The row with the fields behind its other values. */
  Fields added(Fields row) {
    Optional<Object> found = PageTable.value(row, "fields");
    columns.forEach(
        (column, field) ->
            row.and(
                column,
                found
                    .filter(Fields.class::isInstance)
                    .flatMap(fields -> PageTable.value((Fields) fields, field))
                    .map(PageTable::joined)));
    return row;
  }
}
