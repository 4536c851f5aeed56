package dev.comity.app.output;

import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Writes every settled page of a crawl that keeps nothing as one line of JSON, and flushes it: what
 * is settled is in the file.
 */
public final class PageLines implements CrawlListener {
  private final Writer out;

  public PageLines(Writer out) {
    this.out = out;
  }

  @Override
  public synchronized void settled(DomainName domain, Settlement settlement) {
    if (!settlement.isPage() || settlement.attempt().isEmpty() || settlement.fetched().isEmpty()) {
      return;
    }
    try {
      out.write(PageLine.of(settlement, settlement.attempt().get(), settlement.fetched().get()));
      out.write('\n');
      out.flush();
    } catch (IOException failed) {
      throw cannotGoOn(failed);
    }
  }

  static UncheckedIOException cannotGoOn(IOException failed) {
    return new UncheckedIOException(
        "cannot write the pages any further: " + failed.getMessage(), failed);
  }
}
