package dev.comity.app.lists;

import dev.comity.app.output.JsonLines;
import dev.comity.app.text.Fields;
import dev.comity.core.url.DomainName;
import dev.comity.store.report.RowFilter;
import dev.comity.store.report.StoreReader;
import dev.comity.store.report.UnfetchedRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the URLs of a run that brought no page, each with its reason, as lines of JSON. */
public final class FailedUrls {
  private FailedUrls() {}

  /**
   * From the log and from the frontier: what was asked in vain, and what was not asked.
   *
   * @return how many there are
   */
  public static long write(Path file, StoreReader reader, long run, Set<DomainName> domains) {
    AtomicLong count = new AtomicLong();
    RowFilter ofRun =
        new RowFilter(
            OptionalLong.of(run), List.of(), Optional.empty(), Optional.empty(), Optional.empty());
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      reader
          .rows(ofRun)
          .eachWithoutPage(
              url -> {
                if (url.run().isPresent() || domains.contains(new DomainName(url.domain()))) {
                  count.incrementAndGet();
                  out.println(JsonLines.line(fields(url)));
                }
              });
      return count.get();
    } catch (IOException cannot) {
      throw new UncheckedIOException("--failed %s cannot be written".formatted(file), cannot);
    }
  }

  private static Fields fields(UnfetchedRecord url) {
    return Fields.none()
        .and("url", url.url())
        .and("reason", url.reason())
        .and("status", url.status())
        .and("detail", url.detail());
  }
}
