package dev.comity.app;

import dev.comity.store.PageRecord;

/** A page by name, as a crawl's own output has it and more. */
final class PageFields {
  private PageFields() {}

  static Fields of(PageRecord page) {
    return Fields.none()
        .and("run", page.run())
        .and("domain", page.domain())
        .and("url", page.url())
        .and("status", page.status())
        .and("depth", page.depth())
        .and("referrer", page.referrer())
        .and("title", page.title())
        .and("content_type", page.contentType())
        .and("content_hash", page.contentHash())
        .and("bytes", page.bytes())
        .and("started_at", page.startedAt())
        .and("first_byte_ms", page.firstByte())
        .and("total_ms", page.total())
        .and("text", page.text());
  }
}
