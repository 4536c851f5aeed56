package dev.comity.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table into a Parquet file, packed with zstd. Rows are kept in memory until a group of
 * them is written, {@value #GROUP} bytes at most.
 */
public final class ParquetTable implements Closeable {
  private static final int GROUP = 16 << 20;
  private static final int PAGE = 256 << 10;

  private final ParquetWriter<List<@Nullable Object>> writer;

  private ParquetTable(ParquetWriter<List<@Nullable Object>> writer) {
    this.writer = writer;
  }

  /** Creates the file, replacing what was there. */
  public static ParquetTable create(Path file, List<ParquetColumn> columns) throws IOException {
    return new ParquetTable(
        new Builder(new LocalOutputFile(file), List.copyOf(columns))
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize((long) GROUP)
            .withPageSize(PAGE)
            .build());
  }

  /**
   * Writes a row.
   *
   * @param values one for each column, in order; null where there is none
   */
  public void write(List<@Nullable Object> values) throws IOException {
    writer.write(values);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder
      extends ParquetWriter.Builder<List<@Nullable Object>, Builder> {
    private final List<ParquetColumn> columns;

    Builder(OutputFile file, List<ParquetColumn> columns) {
      super(file);
      this.columns = columns;
    }

    @Override
    protected Builder self() {
      return this;
    }

    // The method that is not deprecated calls this one, which is abstract.
    @Override
    @SuppressWarnings("deprecation")
    protected WriteSupport<List<@Nullable Object>> getWriteSupport(Configuration configuration) {
      return new Rows(columns);
    }
  }

  private static final class Rows extends WriteSupport<List<@Nullable Object>> {
    private final List<ParquetColumn> columns;
    private @Nullable RecordConsumer out;

    Rows(List<ParquetColumn> columns) {
      this.columns = columns;
    }

    @Override
    @SuppressWarnings("deprecation")
    public WriteContext init(Configuration configuration) {
      return new WriteContext(
          new MessageType("row", columns.stream().map(ParquetTable::type).toList()), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      out = consumer;
    }

    @Override
    public void write(List<@Nullable Object> row) {
      RecordConsumer to = Objects.requireNonNull(out);
      to.startMessage();
      for (int at = 0; at < columns.size(); at++) {
        Object value = row.get(at);
        if (value != null) {
          String name = columns.get(at).name();
          to.startField(name, at);
          add(to, columns.get(at).type(), value);
          to.endField(name, at);
        }
      }
      to.endMessage();
    }

    private static void add(RecordConsumer to, ParquetColumn.Type type, Object value) {
      switch (type) {
        case TEXT -> to.addBinary(Binary.fromString((String) value));
        case INTEGER -> to.addLong(((Number) value).longValue());
        case REAL -> to.addDouble(((Number) value).doubleValue());
        case TRUTH -> to.addBoolean((Boolean) value);
        case TIME -> to.addLong(((Instant) value).toEpochMilli());
      }
    }
  }

  private static Type type(ParquetColumn column) {
    return switch (column.type()) {
      case TEXT ->
          Types.optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
      case INTEGER -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
      case REAL -> Types.optional(PrimitiveTypeName.DOUBLE).named(column.name());
      case TRUTH -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
      case TIME ->
          Types.optional(PrimitiveTypeName.INT64)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS))
              .named(column.name());
    };
  }
}
