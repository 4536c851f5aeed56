package dev.comity.app.output;

import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import dev.comity.store.report.PageFeed;
import dev.comity.store.report.PageRecord;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pages of a crawl as CSV. A crawl with selected fields has the columns URL and fields, and a
 * row for each page on which one of them was found.
 */
public final class PageTable implements CrawlListener, AutoCloseable {
  private static final int BATCH = 200;

  /** Between several values of a field. */
  private static final String BETWEEN = " | ";

  private final Writer out;
  private final List<String> selected;

  private PageTable(Writer out, List<String> selected) {
    this.out = out;
    this.selected = selected;
  }

  public static boolean isNamed(String file) {
    return file.toLowerCase(Locale.ROOT).endsWith(".csv");
  }

  /**
   * Looks whether the file can be written, and leaves what is in it.
   *
   * @throws WrongSetting if it cannot
   */
  public static void check(String file) {
    Path path = Path.of(file);
    try {
      Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    } catch (IOException failed) {
      throw PageOutput.refused(path, failed);
    }
  }

  /**
   * Opens the file, replacing what is in it.
   *
   * @param selected the names of the fields that the user selects
   */
  public static PageTable open(String file, List<String> selected) {
    PageTable table = new PageTable(PageOutput.open(file), selected);
    List<String> names = new ArrayList<>(List.of(PageLine.URL));
    names.addAll(selected);
    table.write(CsvLines.header(selected.isEmpty() ? PageFields.NAMES : names));
    return table;
  }

  /** Writes all pages of a run, and of those that it goes on from. */
  public void write(PageFeed feed) {
    List<PageRecord> pages = feed.after(0, BATCH);
    while (!pages.isEmpty()) {
      pages.forEach(page -> row(PageFields.of(page)));
      pages = feed.after(pages.getLast().id(), BATCH);
    }
  }

  /** Writes a page of a crawl that keeps nothing. */
  @Override
  public synchronized void settled(DomainName domain, Settlement settlement) {
    if (settlement.isPage()
        && settlement.attempt().isPresent()
        && settlement.fetched().isPresent()) {
      row(PageLine.fields(settlement, settlement.attempt().get(), settlement.fetched().get()));
    }
  }

  private void row(Fields page) {
    if (selected.isEmpty()) {
      Fields all = Fields.none();
      PageFields.NAMES.forEach(name -> all.and(name, value(page, name)));
      write(CsvLines.record(all) + CsvLines.END);
      return;
    }
    Optional<Object> found = value(page, "fields");
    if (found.isPresent() && found.get() instanceof Fields fields) {
      Fields row = Fields.none().and(PageLine.URL, value(page, PageLine.URL));
      selected.forEach(name -> row.and(name, value(fields, name).map(PageTable::joined)));
      write(CsvLines.record(row) + CsvLines.END);
    }
  }

  /** The value of this name, if there is one. */
  public static Optional<Object> value(Fields fields, String name) {
    return fields.list().stream()
        .filter(field -> field.key().equals(name))
        .findFirst()
        .flatMap(Fields.Field::value);
  }

  /** Several values as one text. */
  public static Object joined(Object value) {
    return value instanceof List<?> values
        ? values.stream().map(Object::toString).collect(Collectors.joining(BETWEEN))
        : value;
  }

  private void write(String text) {
    try {
      out.write(text);
      out.flush();
    } catch (IOException failed) {
      throw PageLines.cannotGoOn(failed);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException failed) {
      throw PageLines.cannotGoOn(failed);
    }
  }
}
