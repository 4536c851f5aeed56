package dev.comity.app.export;

import dev.comity.app.output.JsonLines;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.parquet.ParquetColumn;
import dev.comity.parquet.ParquetTable;
import dev.comity.store.report.FilteredRows;
import dev.comity.store.report.ImageRecord;
import dev.comity.store.report.ImageRecord.ImageFile;
import dev.comity.store.report.ImageRecord.PageWords;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the kept images as shards of a WebDataset, in the layout of img2dataset: {@code 00000.tar}
 * with image, text and JSON of each, and {@code 00000.parquet} with the same fields beside it. Each
 * image is there once, as it was first seen. The same data directory gives the same shards.
 */
public final class ImageShards implements Closeable {
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          text("url"),
          text("caption"),
          text("key"),
          text("status"),
          text("error_message"),
          number("width"),
          number("height"),
          number("original_width"),
          number("original_height"),
          text("exif"),
          text("sha256"),
          text("media_type"),
          number("bytes"),
          text("page"),
          text("source_domain"),
          text("found_in"),
          text("alt"),
          text("title"),
          text("figure_caption"),
          text("text_before"),
          text("text_after"),
          text("license_url"),
          text("credit"),
          text("page_title"),
          text("lang"),
          text("signals"),
          text("image_signals"),
          new ParquetColumn("first_seen_at", ParquetColumn.Type.TIME));

  private final Path data;
  private final Path out;
  private final int size;
  private final int digits;
  private int shard = -1;
  private int inShard;
  private long written;
  private long missing;
  private @Nullable TarFile tar;
  private @Nullable ParquetTable table;

  /**
   * @param data the data directory that has the images
   * @param size images of a shard
   */
  public ImageShards(Path data, Path out, int size) {
    if (size < 1) {
      throw new WrongSetting("shard-size is " + size + ", but must be at least 1");
    }
    this.data = data;
    this.out = out;
    this.size = size;
    inShard = size;
    digits = Math.max(1, Integer.toString(size - 1).length());
  }

  private static ParquetColumn text(String name) {
    return new ParquetColumn(name, ParquetColumn.Type.TEXT);
  }

  private static ParquetColumn number(String name) {
    return new ParquetColumn(name, ParquetColumn.Type.INTEGER);
  }

  /** Writes every kept image. */
  public void write(FilteredRows rows) throws IOException {
    Files.createDirectories(out);
    try {
      rows.eachKeptImage(
          image -> {
            try {
              add(image, image.image().orElseThrow());
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          });
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  /** How many images are in the shards. */
  public long written() {
    return written;
  }

  /** How many images have no file any more. */
  public long missing() {
    return missing;
  }

  private void add(ImageRecord image, ImageFile file) throws IOException {
    Path path = data.resolve(file.file().orElseThrow());
    if (!Files.isRegularFile(path)) {
      missing++;
      return;
    }
    if (inShard == size) {
      finish();
      shard++;
      inShard = 0;
      tar = new TarFile(new BufferedOutputStream(Files.newOutputStream(part(".tar")), 1 << 16));
      table = ParquetTable.create(part(".parquet"), COLUMNS);
    }
    String key = String.format(Locale.ROOT, "%05d%0" + digits + "d", shard, inShard);
    Fields fields = fields(image, file, key);
    TarFile to = Objects.requireNonNull(tar);
    to.add(key + "." + file.ending(), Files.readAllBytes(path), image.firstSeen());
    to.add(key + ".txt", caption(image).getBytes(StandardCharsets.UTF_8), image.firstSeen());
    to.add(
        key + ".json", JsonLines.line(fields).getBytes(StandardCharsets.UTF_8), image.firstSeen());
    Objects.requireNonNull(table).write(ColumnTypes.values(COLUMNS, fields));
    inShard++;
    written++;
  }

  private static String caption(ImageRecord image) {
    PageWords words = image.words();
    return words.alt().or(words::caption).or(words::title).orElse("");
  }

  private static Fields fields(ImageRecord image, ImageFile file, String key) {
    PageWords words = image.words();
    return Fields.none()
        .and("url", image.url())
        .and("caption", caption(image))
        .and("key", key)
        .and("status", "success")
        .and("error_message", Optional.empty())
        .and("width", file.width())
        .and("height", file.height())
        .and("original_width", file.width())
        .and("original_height", file.height())
        .and("exif", Optional.empty())
        .and("sha256", file.sha256())
        .and("media_type", file.mediaType())
        .and("bytes", file.bytes())
        .and("page", image.page())
        .and("source_domain", image.sourceDomain())
        .and("found_in", image.foundIn())
        .and("alt", words.alt())
        .and("title", words.title())
        .and("figure_caption", words.caption())
        .and("text_before", words.textBefore())
        .and("text_after", words.textAfter())
        .and("license_url", words.licenseUrl())
        .and("credit", words.credit())
        .and("page_title", words.pageTitle())
        .and("lang", words.language())
        .and("signals", image.signals())
        .and("image_signals", file.signals())
        .and("first_seen_at", image.firstSeen());
  }

  private Path part(String ending) {
    return out.resolve(name() + ending + ".part");
  }

  private String name() {
    return String.format(Locale.ROOT, "%05d", shard);
  }

  /** A shard gets its name when it is whole. */
  private void finish() throws IOException {
    TarFile files = tar;
    ParquetTable rows = table;
    tar = null;
    table = null;
    if (files != null) {
      files.close();
      Files.move(part(".tar"), out.resolve(name() + ".tar"), StandardCopyOption.REPLACE_EXISTING);
    }
    if (rows != null) {
      rows.close();
      Files.move(
          part(".parquet"), out.resolve(name() + ".parquet"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void close() throws IOException {
    finish();
  }
}
