package dev.comity.app.command;

import dev.comity.app.output.CsvLines;
import dev.comity.app.output.DomainFields;
import dev.comity.app.output.ImageFields;
import dev.comity.app.output.JsonLines;
import dev.comity.app.output.PageFields;
import dev.comity.app.output.PageOutput;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Terminal;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import dev.comity.store.report.StoreReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity export}: pages, images, domains or requests, row by row, for other programs. */
@Command(
    name = "export",
    description = {
      "Write pages, images, domains or the log of requests, as JSON Lines or CSV.",
      "",
      "In CSV a text that a spreadsheet would take for a formula gets an apostrophe in front, and"
          + " so does one that begins with an apostrophe."
    })
public final class ExportCommand implements Callable<Integer> {
  /** What can be exported. */
  enum What {
    PAGES,
    IMAGES,
    DOMAINS,
    LOG;

    private List<String> names() {
      return switch (this) {
        case PAGES -> PageFields.NAMES;
        case IMAGES -> ImageFields.NAMES;
        case DOMAINS -> DomainFields.NAMES;
        case LOG -> DomainFields.REQUEST_NAMES;
      };
    }
  }

  /** In which form. */
  enum Format {
    JSONL,
    CSV
  }

  @Spec private CommandSpec spec;
  @Mixin private DataOption data = new DataOption();

  @Parameters(paramLabel = "WHAT", description = "pages, images, domains or log.")
  private What what = What.PAGES;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "jsonl or csv (default: csv for a FILE that ends in .csv or .csv.gz, else jsonl).")
  private @Nullable Format format;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write to this file, replacing it; packed with gzip if it ends in .gz; - for standard"
              + " output (default: -).")
  private String out = PageOutput.STANDARD_OUTPUT;

  @Override
  public Integer call() throws IOException {
    Configuration.ofData(spec);
    try (StoreReader reader = data.reader();
        Writer rows = PageOutput.packed(out)) {
      return export(reader, rows);
    } catch (IOException gone) {
      // Closing writes what is left, so a reader that has gone shows here as well.
      return broken(gone);
    }
  }

  private int export(StoreReader reader, Writer rows) throws IOException {
    try {
      Rows written = new Rows(rows, format(), isWatched());
      written.begin(what.names());
      switch (what) {
        case PAGES -> reader.eachPage(page -> written.accept(PageFields.of(page)));
        case IMAGES -> reader.eachImage(image -> written.accept(ImageFields.of(image)));
        case DOMAINS -> reader.eachDomain(domain -> written.accept(DomainFields.of(domain)));
        case LOG -> reader.eachRequest(request -> written.accept(DomainFields.of(request)));
      }
      rows.flush();
      return Exit.DONE;
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  /** A closed pipe on standard output is no failure. A full disk is. */
  private int broken(IOException gone) {
    if (out.equals(PageOutput.STANDARD_OUTPUT)) {
      return Exit.DONE;
    }
    throw new UncheckedIOException("cannot write to " + out + ": " + gone.getMessage(), gone);
  }

  /** The format that was asked for, or else the one the file's ending names. */
  private Format format() {
    if (format != null) {
      return format;
    }
    String name = out.toLowerCase(Locale.ROOT);
    return name.endsWith(".csv") || name.endsWith(".csv.gz") ? Format.CSV : Format.JSONL;
  }

  /** Whether the rows go to a terminal, not to a file or a program. */
  private boolean isWatched() {
    return out.equals(PageOutput.STANDARD_OUTPUT) && Terminal.columns() > 0;
  }

  /**
   * Writes one row after the other and keeps none. CSV holds what sites wrote to the letter, unless
   * it goes to a terminal; JSON is escaped in any case.
   */
  private static final class Rows implements Consumer<Fields> {
    private final Writer out;
    private final Format format;
    private final boolean watched;

    Rows(Writer out, Format format, boolean watched) {
      this.out = out;
      this.format = format;
      this.watched = watched;
    }

    /** Writes the header, also of an empty table. */
    void begin(List<String> names) throws IOException {
      if (format == Format.CSV) {
        out.write(CsvLines.header(names));
      }
    }

    @Override
    public void accept(Fields fields) {
      try {
        switch (format) {
          case JSONL -> out.write(JsonLines.line(fields) + "\n");
          case CSV -> out.write(record(fields) + CsvLines.END);
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    private String record(Fields fields) {
      String record = CsvLines.record(fields);
      return watched ? Printable.text(record) : record;
    }
  }
}
