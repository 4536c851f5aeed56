package dev.comity.app.output;

import dev.comity.app.text.Fields;
import dev.comity.store.report.PageRecord;
import java.util.List;

/** A page by name, as a crawl's own output has it and more. */
public final class PageFields {
  /** The column names, in order; the header of an empty table. */
  public static final List<String> NAMES =
      List.of(
          "run",
          "domain",
          "url",
          "status",
          "location",
          "depth",
          "referrer",
          "title",
          "content_type",
          "content_hash",
          "bytes",
          "started_at",
          "first_byte_ms",
          "total_ms",
          "language",
          "description",
          "canonical",
          "headers",
          "charset",
          "text",
          "html",
          "body",
          "body_base64",
          "markdown",
          "fields",
          "links",
          "wishes");

  private PageFields() {}

  public static Fields of(PageRecord page) {
    return Fields.none()
        .and("run", page.run())
        .and("domain", page.domain())
        .and("url", page.url())
        .and("status", page.status())
        .and("location", page.location())
        .and("depth", page.depth())
        .and("referrer", page.referrer())
        .and("title", page.title())
        .and("content_type", page.contentType())
        .and("content_hash", page.contentHash())
        .and("bytes", page.bytes())
        .and("started_at", page.startedAt())
        .and("first_byte_ms", page.firstByte())
        .and("total_ms", page.total())
        .with(ContentFields.of(page.content()))
        .and("wishes", page.wishes());
  }
}
