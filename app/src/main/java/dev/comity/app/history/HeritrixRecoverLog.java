package dev.comity.app.history;

import dev.comity.app.lists.BoundedLines;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastVisit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads Heritrix's recover log, {@code frontier.recover.gz}. {@code F+} is a URL that was queued,
 * {@code Fs} one that was fetched, {@code Ff} one that failed; {@code T} is the time of the lines
 * after it. Heritrix keeps no status: a fetched URL counts as 200.
 */
final class HeritrixRecoverLog implements PastFile {
  private static final OptionalInt FETCHED = OptionalInt.of(200);

  private Optional<Instant> time = Optional.empty();

  @Override
  public void read(Path file, PastRows rows) throws IOException {
    String name = String.valueOf(file.getFileName());
    time = Optional.empty();
    BoundedLines.each(file, line -> take(name, line.number(), line.text(), rows));
  }

  private void take(String name, long number, String line, PastRows rows) {
    if (line.startsWith("T ")) {
      time = time(line.substring(2).strip()).or(() -> time);
      return;
    }
    if (line.length() < 4 || line.charAt(2) != ' ') {
      return;
    }
    int end = line.indexOf(' ', 3);
    String url = line.substring(3, end < 0 ? line.length() : end);
    if (!url.startsWith("http")) {
      // Heritrix queues look-ups of names and files of FTP, too.
      return;
    }
    switch (line.substring(0, 2)) {
      case "F+" -> rows.listed(name, number, url, PastVisit::queued);
      case "Fs" -> rows.listed(name, number, url, asked(FETCHED));
      case "Ff" -> rows.listed(name, number, url, asked(OptionalInt.empty()));
      default -> {
        // Emitted, included, disregarded and queued again: F+ has told of these.
      }
    }
  }

  private PastRows.ListedUrl asked(OptionalInt status) {
    Optional<Instant> at = time;
    return (domain, url) -> PastVisit.asked(domain, url, status, at, Optional.empty());
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
