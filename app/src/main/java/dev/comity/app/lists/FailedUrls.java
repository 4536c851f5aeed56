package dev.comity.app.lists;

import dev.comity.app.output.JsonLines;
import dev.comity.app.text.Fields;
import dev.comity.core.url.DomainName;
import dev.comity.store.report.RequestRecord;
import dev.comity.store.report.RowFilter;
import dev.comity.store.report.StoreReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      reader
          .rows(RowFilter.ALL)
          .eachRequest(
              request -> {
                if (request.run() == run && isFailed(request)) {
                  count.incrementAndGet();
                  out.println(JsonLines.line(fields(request)));
                }
              });
      reader.eachUnasked(
          unasked -> {
            if (domains.contains(new DomainName(unasked.domain()))) {
              count.incrementAndGet();
              out.println(
                  JsonLines.line(
                      Fields.none()
                          .and("url", unasked.url())
                          .and("reason", unasked.state())
                          .and("detail", unasked.detail())));
            }
          });
      return count.get();
    } catch (IOException cannot) {
      throw new UncheckedIOException("--failed %s cannot be written".formatted(file), cannot);
    }
  }

  private static boolean isFailed(RequestRecord request) {
    return (request.kind().equals("page") || request.kind().equals("image"))
        && switch (request.fate()) {
          case "failed", "denied", "skipped" -> true;
          case "done" -> request.status().orElse(0) >= 400;
          default -> false;
        };
  }

  private static Fields fields(RequestRecord request) {
    return Fields.none()
        .and("url", request.url())
        .and("reason", request.outcome())
        .and("status", request.status())
        .and("detail", request.error());
  }
}
