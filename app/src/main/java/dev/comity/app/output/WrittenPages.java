package dev.comity.app.output;

import dev.comity.store.report.PageFeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What an earlier process of the same run has written, read from the end. Its last line may be cut,
 * by a kill; and after a loss of power there may be lines of pages that the store has lost: they
 * will be fetched and written again.
 */
final class WrittenPages {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BLOCK = 1 << 16;

  private final FileChannel file;

  WrittenPages(FileChannel file) {
    this.file = file;
  }

  /**
   * A line with a page in it.
   *
   * @param end where the next line begins
   */
  record WrittenPage(long sequence, String url, Instant startedAt, long end) {}

  /** The last whole line with a page of the run; empty if there is none. */
  Optional<WrittenPage> lastKnownTo(PageFeed feed) throws IOException {
    long end = lineBreakBefore(file.size()) + 1;
    while (end > 0) {
      long start = lineBreakBefore(end - 1) + 1;
      Optional<WrittenPage> line = line(start, end);
      if (line.isPresent()
          && feed.has(line.get().sequence(), line.get().url(), line.get().startedAt())) {
        return line;
      }
      end = start;
    }
    return Optional.empty();
  }

  /** Where the last line break before that place is; -1 if there is none. */
  private long lineBreakBefore(long place) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    long end = place;
    while (end > 0) {
      long start = Math.max(0, end - BLOCK);
      read(block.clear().limit((int) (end - start)), start);
      for (int at = (int) (end - start) - 1; at >= 0; at--) {
        if (block.get(at) == '\n') {
          return start + at;
        }
      }
      end = start;
    }
    return -1;
  }

  private void read(ByteBuffer into, long from) throws IOException {
    while (into.hasRemaining()) {
      if (file.read(into, from + into.position()) < 0) {
        throw new IOException("the file was cut while it was read");
      }
    }
  }

  private Optional<WrittenPage> line(long start, long end) throws IOException {
    if (end - start > Integer.MAX_VALUE - 8) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) (end - start));
    read(bytes, start);
    return parsed(new String(bytes.array(), StandardCharsets.UTF_8), end);
  }

  private static Optional<WrittenPage> parsed(String text, long end) {
    long sequence = -1;
    String url = "";
    String startedAt = "";
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        switch (name) {
          case PageLine.SEQUENCE ->
              sequence = value == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : -1;
          case PageLine.URL -> url = json.getString();
          case PageLine.STARTED_AT -> startedAt = json.getString();
          default -> json.skipChildren();
        }
      }
      return sequence < 0
          ? Optional.empty()
          : Optional.of(new WrittenPage(sequence, url, Instant.parse(startedAt), end));
    } catch (JacksonException | DateTimeException _) {
      // Not a line of ours.
      return Optional.empty();
    }
  }
}
