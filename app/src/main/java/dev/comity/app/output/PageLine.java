package dev.comity.app.output;

import dev.comity.app.text.Fields;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.store.report.PageRecord;
import java.util.Optional;

/** A page as a crawl writes it down: one line of JSON, the same whether it was stored or not. */
final class PageLine {
  /** The page's number in the store, by which a continued run knows where to go on. */
  static final String SEQUENCE = "seq";

  static final String URL = "url";
  static final String STARTED_AT = "started_at";

  private PageLine() {}

  /** A page that is nowhere but here. */
  static String of(Settlement settlement, Attempt attempt, Fetched fetched) {
    Optional<PageContent> kept = settlement.page().filter(PageContent::mayKeep);
    Fields fields =
        Fields.none()
            .and(URL, settlement.entry().url())
            .and("status", fetched.outcome().status())
            .and("location", settlement.location())
            .and("depth", settlement.entry().depth())
            .and("referrer", settlement.entry().referrer())
            .and("title", kept.flatMap(PageContent::title))
            .and("content_type", settlement.page().flatMap(PageContent::contentType))
            .and("bytes", fetched.bytes())
            .and(STARTED_AT, attempt.startedAt())
            .and("first_byte_ms", fetched.firstByte())
            .and("total_ms", fetched.total());
    kept.flatMap(PageContent::kept)
        .ifPresent(content -> fields.with(ContentFields.of(content, fetched.outcome())));
    return JsonLines.line(fields);
  }

  static String of(PageRecord page) {
    Fields fields =
        Fields.none()
            .and(SEQUENCE, page.id())
            .and(URL, page.url())
            .and("status", page.status())
            .and("location", page.location())
            .and("depth", page.depth())
            .and("referrer", page.referrer())
            .and("title", page.title())
            .and("content_type", page.contentType())
            .and("bytes", page.bytes())
            .and(STARTED_AT, page.startedAt())
            .and("first_byte_ms", page.firstByte())
            .and("total_ms", page.total());
    return JsonLines.line(fields.with(ContentFields.of(page.content())));
  }
}
