package dev.comity.archive;

import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.netpreserve.jwarc.URIs;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * An answer in an archive and where it is.
 *
 * @param mime its type; {@code warc/revisit} where the body is another record's
 * @param status of HTTP; {@code -} where it cannot be read
 * @param digest of its body, as the record has it; {@code -} without one
 * @param offset where the record begins in its file
 * @param length how many bytes of the file it takes
 * @param title of the page, where the archive has one
 */
record CdxEntry(
    String url,
    Instant at,
    String mime,
    String status,
    String digest,
    long offset,
    long length,
    String file,
    Optional<String> title) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final JsonFactory JSON = new JsonFactory();

  /** The line of the index: key, time and the rest as JSON. */
  String line() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("url", url);
      json.writeStringProperty("mime", mime);
      json.writeStringProperty("status", status);
      json.writeStringProperty("digest", digest);
      json.writeStringProperty("length", Long.toString(length));
      json.writeStringProperty("offset", Long.toString(offset));
      json.writeStringProperty("filename", file);
      json.writeEndObject();
    }
    return surt() + " " + TIME.format(at) + " " + text;
  }

  private String surt() {
    String key;
    try {
      key = URIs.toNormalizedSurt(url);
    } catch (RuntimeException _) {
      key = url;
    }
    return key.replace(' ', '+');
  }

  /** Whether it is a page that people look at. */
  boolean isPage() {
    return status.equals("200")
        && (mime.equals("text/html") || mime.equals("application/xhtml+xml"));
  }
}
