package dev.comity.archive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** The header of a WARC record, line by line. No value holds a line break. */
final class RecordHeader {
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private final StringBuilder text = new StringBuilder(640);

  RecordHeader(String type, String id, Instant at) {
    text.append("WARC/1.1\r\n");
    and("WARC-Type", type);
    and("WARC-Record-ID", id);
    and("WARC-Date", date(at));
  }

  static String date(Instant at) {
    return DATE.format(at);
  }

  RecordHeader and(String name, String value) {
    text.append(name).append(": ").append(value).append("\r\n");
    return this;
  }

  /** The header of a record with a block of this type and length. */
  ByteBuffer of(String contentType, long length) {
    and("Content-Type", contentType);
    and("Content-Length", Long.toString(length));
    return ByteBuffer.wrap(text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
  }
}
