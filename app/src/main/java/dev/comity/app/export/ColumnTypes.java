package dev.comity.app.export;

import dev.comity.app.output.CsvLines;
import dev.comity.app.text.Fields;
import dev.comity.parquet.ParquetColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types of the columns of tables, for formats that have types. */
final class ColumnTypes {
  private static final Set<String> INTEGERS =
      Set.of(
          "attempt",
          "bytes",
          "claim_token",
          "cooldowns",
          "declared_height",
          "declared_width",
          "denied",
          "depth",
          "depth_reached",
          "discovered",
          "done",
          "errors",
          "errors_in_a_row",
          "failed",
          "height",
          "id",
          "last_run",
          "links_suppressed",
          "max_concurrency",
          "max_pages",
          "over_cap",
          "pages",
          "priority",
          "refusals_in_a_row",
          "requests",
          "run",
          "set_aside",
          "skipped",
          "spent_run",
          "status",
          "successes_in_a_row",
          "suppressed",
          "token",
          "unfinished",
          "version",
          "width");

  private static final Set<String> TIMES = Set.of("until", "not_before");
  private static final Set<String> TRUTHS = Set.of("unclean", "paused", "page", "error");

  private ColumnTypes() {}

  /** The columns of a table with their types. */
  static List<ParquetColumn> of(ExportTable table) {
    return table.names().stream().map(name -> new ParquetColumn(name, type(table, name))).toList();
  }

  private static ParquetColumn.Type type(ExportTable table, String name) {
    boolean isWord =
        (table == ExportTable.DOMAINS && name.equals("status"))
            || (table == ExportTable.IMAGES && name.equals("page"));
    if (isWord) {
      return ParquetColumn.Type.TEXT;
    }
    if (name.endsWith("_at") || TIMES.contains(name)) {
      return ParquetColumn.Type.TIME;
    }
    if (name.endsWith("_ms") || INTEGERS.contains(name)) {
      return ParquetColumn.Type.INTEGER;
    }
    return TRUTHS.contains(name) ? ParquetColumn.Type.TRUTH : ParquetColumn.Type.TEXT;
  }

  /** The values of a row in the order of the columns; null where there is none. */
  static List<@Nullable Object> values(List<ParquetColumn> columns, Fields row) {
    Map<String, Object> named =
        row.list().stream()
            .filter(field -> field.value().isPresent())
            .collect(Collectors.toMap(Fields.Field::key, field -> field.value().orElseThrow()));
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (ParquetColumn column : columns) {
      Optional<Object> value = Optional.ofNullable(named.get(column.name()));
      values.add(value.map(given -> typed(column, given)).orElse(null));
    }
    return values;
  }

  private static Object typed(ParquetColumn column, Object value) {
    boolean fits =
        switch (column.type()) {
          case TEXT -> true;
          case INTEGER -> value instanceof Number || value instanceof Duration;
          case REAL -> value instanceof Number;
          case TRUTH -> value instanceof Boolean;
          case TIME -> value instanceof Instant;
        };
    if (!fits) {
      throw new IllegalStateException(
          "column %s is %s, but holds a %s"
              .formatted(column.name(), column.type(), value.getClass().getSimpleName()));
    }
    return switch (value) {
      case Duration time when column.type() == ParquetColumn.Type.INTEGER -> time.toMillis();
      case Object other when column.type() == ParquetColumn.Type.TEXT -> CsvLines.flat(other);
      default -> value;
    };
  }
}
