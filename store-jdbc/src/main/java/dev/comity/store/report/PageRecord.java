package dev.comity.store.report;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.sql.KeptJson;
import dev.comity.store.sql.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one run got of one URL.
 *
 * @param location where the answer redirects to
 * @param content what was kept of the page beside its title
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
    KeptPage content,
    Optional<String> wishes) {

  private static KeptPage kept(ResultRow row) {
    return new KeptPage(
        row.optionalBytes("html").map(Body::of),
        row.optionalText("charset"),
        row.number("document") != 0,
        row.optionalText("text"),
        row.optionalText("markdown"),
        row.optionalText("fields").map(KeptJson::readFields).orElse(Map.of()),
        row.optionalText("links").map(KeptJson::readLinks).orElse(List.of()),
        row.optionalText("language"),
        row.optionalText("description"),
        row.optionalText("canonical").flatMap(PageRecord::url),
        row.optionalText("headers").map(KeptJson::readHeaders).orElse(Map.of()));
  }

  private static Optional<CrawlUrl> url(String text) {
    return CrawlUrl.parse(text) instanceof CrawlUrl url ? Optional.of(url) : Optional.empty();
  }

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
        kept(row),
        row.optionalText("wishes"));
  }

  /** About how much memory it takes, in bytes. */
  long weight() {
    return 1_000
        + content.packed().map(Body::length).orElse(0)
        + 2L * content.text().map(String::length).orElse(0)
        + 2L * content.markdown().map(String::length).orElse(0)
        + 500L * content.links().size();
  }
}
