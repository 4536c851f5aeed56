package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What one run got of one URL.
 *
 * @param location where the answer redirects to
 * @param wishes what its site said about its use, as a JSON array
 */
public record PageRecord(
    long id,
    long run,
    String domain,
    String url,
    long status,
    Optional<String> location,
    long depth,
    Optional<String> referrer,
    Optional<String> title,
    Optional<String> contentType,
    Optional<String> contentHash,
    long bytes,
    Instant startedAt,
    Optional<Duration> firstByte,
    Duration total,
    Optional<String> text,
    Optional<String> wishes) {

  static PageRecord read(ResultRow row) {
    return new PageRecord(
        row.number("id"),
        row.number("run_id"),
        row.text("domain"),
        row.text("url"),
        row.number("status"),
        row.optionalText("location"),
        row.number("depth"),
        row.optionalText("referrer"),
        row.optionalText("title"),
        row.optionalText("content_type"),
        row.optionalBytes("content_hash").map(HexFormat.of()::formatHex),
        row.number("bytes"),
        row.time("started_at"),
        row.optionalMillis("first_byte_ms"),
        row.millis("total_ms"),
        row.optionalText("text"),
        row.optionalText("wishes"));
  }
}
