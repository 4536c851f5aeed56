package dev.comity.app.command;

import dev.comity.app.export.ArchiveExport;
import dev.comity.app.export.ExportFormat;
import dev.comity.app.export.ExportTable;
import dev.comity.app.export.FilterOptions;
import dev.comity.app.export.ImageShards;
import dev.comity.app.export.TableExport;
import dev.comity.app.output.PageOutput;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Terminal;
import dev.comity.app.process.Version;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Words;
import dev.comity.store.report.RowFilter;
import dev.comity.store.report.StoreReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity export}: what a data directory holds, row by row, for other programs. */
@Command(
    name = "export",
    description = {
      "Write pages, images, domains, the log of requests, or the URLs that were not fetched and"
          + " why, as JSON Lines, CSV, TSV or Parquet.",
      "",
      "In CSV and TSV a text that a spreadsheet would take for a formula gets an apostrophe in"
          + " front, and so does one that begins with an apostrophe."
    })
public final class ExportCommand implements Callable<Integer> {
  /** What can be exported: tables of the data directory, and what is made of WARC files. */
  enum What {
    PAGES,
    IMAGES,
    DOMAINS,
    LOG,
    FAILED,
    CDXJ,
    WACZ,
    WEBDATASET
  }

  @Spec private CommandSpec spec;
  @Mixin private DataOption data = new DataOption();
  @Mixin private FilterOptions filters = new FilterOptions();

  @Parameters(
      paramLabel = "WHAT",
      description =
          "pages, images, domains, log, failed; or, made of WARC files, cdxj, their index, and"
              + " wacz, one file with all of them.")
  private What what = What.PAGES;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "jsonl, csv, tsv or parquet (default: what the ending of FILE names, else jsonl).")
  private @Nullable ExportFormat format;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write to this file, replacing it; packed if it ends in .gz or .zst; - for standard"
              + " output (default: -).")
  private String out = PageOutput.STANDARD_OUTPUT;

  @Option(
      names = "--warc",
      paramLabel = "DIR",
      description = "The WARC files of a crawl with --warc, for cdxj and wacz.")
  private @Nullable Path warc;

  @Option(
      names = "--shard-size",
      paramLabel = "N",
      description = "Images of a shard of webdataset (default: ${DEFAULT-VALUE}).")
  private int shardSize = 10_000;

  @Override
  public Integer call() throws IOException {
    Configuration.ofData(spec);
    try {
      switch (what) {
        case PAGES -> write(ExportTable.PAGES);
        case IMAGES -> write(ExportTable.IMAGES);
        case DOMAINS -> write(ExportTable.DOMAINS);
        case LOG -> write(ExportTable.LOG);
        case FAILED -> write(ExportTable.FAILED);
        case CDXJ -> ArchiveExport.index(archive(), out);
        case WEBDATASET -> writeShards();
        case WACZ -> ArchiveExport.pack(archive(), out, Version.line());
      }
      return Exit.DONE;
    } catch (IOException gone) {
      // Closing writes what is left, so a reader that has gone shows here as well.
      return broken(gone);
    }
  }

  private Path archive() {
    if (warc == null) {
      throw new WrongSetting(
          "export %s reads WARC files: name their directory with --warc DIR"
              .formatted(what.name().toLowerCase(Locale.ROOT)));
    }
    return warc;
  }

  private void writeShards() throws IOException {
    if (out.equals(PageOutput.STANDARD_OUTPUT)) {
      throw new WrongSetting("shards need a directory: say it with --out DIR");
    }
    filters.requireNone();
    try (StoreReader reader = data.reader();
        ImageShards shards = new ImageShards(data.directory().path(), Path.of(out), shardSize)) {
      shards.write(reader.rows(RowFilter.ALL));
      if (shards.missing() > 0) {
        spec.commandLine()
            .getErr()
            .println(
                "comity: %s left out, their files are gone"
                    .formatted(Words.count(shards.missing(), "image")));
      }
    }
  }

  private void write(ExportTable table) throws IOException {
    if (warc != null) {
      throw new WrongSetting("warc is for cdxj and wacz only: leave --warc out");
    }
    RowFilter filter = filters.filter(table);
    try (StoreReader reader = data.reader()) {
      new TableExport(table, format == null ? ExportFormat.of(out) : format, out, isWatched())
          .write(reader.rows(filter));
    }
  }

  /** A closed pipe on standard output is no failure. A full disk is. */
  private int broken(IOException gone) {
    if (out.equals(PageOutput.STANDARD_OUTPUT)) {
      return Exit.DONE;
    }
    throw new UncheckedIOException("cannot write to " + out + ": " + gone.getMessage(), gone);
  }

  /** Whether the rows go to a terminal, not to a file or a program. */
  private boolean isWatched() {
    return out.equals(PageOutput.STANDARD_OUTPUT) && Terminal.columns() > 0;
  }
}
