package dev.comity.app.history;

import dev.comity.app.lists.BoundedLines;
import dev.comity.app.lists.ListFormat;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastVisit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Reads what {@code nutch readdb -dump} wrote, as text or as CSV. The fetch time of a URL that was
 * fetched is when Nutch would fetch it next; its last visit was a retry interval before.
 */
final class NutchDump implements PastFile {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.US);

  /** A longer interval is none that Nutch has: a year is its longest. */
  private static final long MOST_SECONDS = Duration.ofDays(3650).toSeconds();

  @Override
  public void read(Path file, PastRows rows) throws IOException {
    if (Files.isDirectory(file)) {
      List<Path> parts;
      try (Stream<Path> files = Files.list(file)) {
        parts =
            files
                .filter(part -> String.valueOf(part.getFileName()).startsWith("part-"))
                .sorted()
                .toList();
      }
      for (Path part : parts) {
        read(part, rows);
      }
      return;
    }
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".csv")) {
      ListFormat.CSV.reader().read(file, (number, values) -> csv(name, number, values, rows));
    } else {
      TextRecords records = new TextRecords(name, rows);
      BoundedLines.each(file, line -> records.line(line.number(), line.text()));
      records.end();
    }
  }

  private static void csv(String name, long number, Map<String, String> values, PastRows rows) {
    take(
        name,
        number,
        values.getOrDefault("Url", ""),
        values.getOrDefault("Status name", ""),
        values.getOrDefault("Fetch Time", ""),
        values.getOrDefault("Retry interval seconds", ""),
        rows);
  }

  /** Gathers the lines of a record: its URL, then its fields. */
  private static final class TextRecords {
    private final String name;
    private final PastRows rows;
    private final Map<String, String> fields = new HashMap<>();
    private String url = "";
    private long at;

    TextRecords(String name, PastRows rows) {
      this.name = name;
      this.rows = rows;
    }

    void line(long number, String line) {
      int version = line.indexOf("\tVersion: ");
      if (version > 0) {
        end();
        url = line.substring(0, version);
        at = number;
        return;
      }
      int colon = line.indexOf(": ");
      // Metadata is indented, and may hold anything.
      if (colon > 0 && !Character.isWhitespace(line.charAt(0)) && fields.size() < 20) {
        fields.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }

    void end() {
      if (!url.isEmpty()) {
        String status = fields.getOrDefault("Status", "").replaceAll(".*\\((.*)\\).*", "$1");
        take(
            name,
            at,
            url,
            status,
            fields.getOrDefault("Fetch time", ""),
            fields.getOrDefault("Retry interval", "").replaceAll(" .*", ""),
            rows);
      }
      url = "";
      fields.clear();
    }
  }

  private static void take(
      String name,
      long number,
      String url,
      String status,
      String fetchTime,
      String interval,
      PastRows rows) {
    Optional<Instant> next = time(fetchTime);
    Optional<Instant> visited = next.map(at -> at.minusSeconds(seconds(interval)));
    rows.listed(
        name,
        number,
        url,
        (domain, read) ->
            switch (status) {
              case "db_fetched", "db_notmodified", "db_duplicate", "db_parse_failed" ->
                  PastVisit.asked(domain, read, OptionalInt.of(200), visited, next);
              case "db_redir_temp" ->
                  PastVisit.asked(domain, read, OptionalInt.of(302), visited, next);
              case "db_redir_perm" ->
                  PastVisit.asked(domain, read, OptionalInt.of(301), visited, next);
              case "db_gone" -> PastVisit.asked(domain, read, OptionalInt.of(404), visited, next);
              // Not fetched yet, or no page links to it any more.
              default -> PastVisit.queued(domain, read);
            });
  }

  private static long seconds(String text) {
    try {
      return Math.clamp((long) Double.parseDouble(text), 0, MOST_SECONDS);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(ZonedDateTime.parse(text, TIME).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
