package dev.comity.app.history;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import dev.comity.store.backfill.PastRows;
import java.io.IOException;
import java.nio.file.Path;

/** Crawlers whose state can be read. */
public enum ImportFormat {
  NUTCH,
  HERITRIX,
  SCRAPY;

  private PastFile reader() {
    return switch (this) {
      case NUTCH -> new NutchDump();
      case HERITRIX -> new HeritrixRecoverLog();
      case SCRAPY -> new ScrapyJob();
    };
  }

  /**
   * Reads what a crawler left.
   *
   * @throws WrongSetting if it cannot be read
   */
  public void read(String name, PastRows rows) {
    Path file = PastLogs.file(name);
    try {
      reader().read(file, rows);
    } catch (IOException failed) {
      throw new WrongSetting(
          "%s cannot be read (%s)"
              .formatted(Printable.text(name), failed.getClass().getSimpleName()));
    }
  }
}
