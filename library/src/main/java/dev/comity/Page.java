package dev.comity;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A page that has its answer, be it a 404 or a redirect. Title, text and body are foreign text:
 * escape them before you show them.
 *
 * @param status what the site answered
 * @param location where it redirects to
 * @param depth links followed from where the crawl started
 * @param referrer the page it was found on
 * @param title the title, unless the page asks not to be indexed
 * @param text what there is to read on it, unless the page asks not to be indexed
 * @param body the bytes as they were decoded; none for anything but a success
 * @param startedAt when the first byte of the request left
 * @param took from asking to the end
 */
public record Page(
    CrawlUrl url,
    int status,
    Optional<CrawlUrl> location,
    int depth,
    Optional<CrawlUrl> referrer,
    Optional<String> title,
    String text,
    Optional<String> contentType,
    Body body,
    Instant startedAt,
    Duration took) {

  static Optional<Page> of(Settlement settlement) {
    if (!settlement.isPage() || settlement.attempt().isEmpty() || settlement.fetched().isEmpty()) {
      return Optional.empty();
    }
    Fetched fetched = settlement.fetched().get();
    Optional<PageContent> kept = settlement.page().filter(PageContent::mayKeep);
    return Optional.of(
        new Page(
            settlement.entry().url(),
            fetched.outcome().status().orElse(0),
            settlement.location(),
            settlement.entry().depth(),
            settlement.entry().referrer(),
            kept.flatMap(PageContent::title),
            kept.map(PageContent::text).orElse(""),
            settlement.page().flatMap(PageContent::contentType),
            fetched.outcome() instanceof FetchOutcome.Success page && settlement.refusal().isEmpty()
                ? page.body()
                : Body.EMPTY,
            settlement.attempt().get().startedAt(),
            fetched.total()));
  }

  /** Without what the site wrote: that may move a terminal. */
  @Override
  public String toString() {
    return status + " " + url + " (" + body.length() + " bytes)";
  }
}
