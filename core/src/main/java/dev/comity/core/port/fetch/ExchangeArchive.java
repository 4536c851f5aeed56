package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Kind;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps every exchange with a server. A crawl hands over an exchange before its URL is settled, so
 * a crash loses no exchange of a settled URL. Called from many threads.
 */
public interface ExchangeArchive {

  /**
   * Returns when a crash of this process can no longer lose the exchange.
   *
   * @throws ArchiveFailed if it cannot be written; the crawl ends
   */
  void keep(ArchivedExchange exchange);

  /**
   * An exchange and what is known of it.
   *
   * @param startedAt when its first byte was sent
   * @param total how long it took
   * @param referrer the page that led to the URL
   * @param title of the page, where it may be kept
   * @param wishes what header and page say about the use of the answer
   */
  record ArchivedExchange(
      CrawlUrl url,
      Kind kind,
      Instant startedAt,
      Duration total,
      int depth,
      Optional<CrawlUrl> referrer,
      Optional<String> title,
      Wishes wishes,
      WireExchange wire) {}

  /** An archive cannot be written or read. */
  final class ArchiveFailed extends RuntimeException {
    public ArchiveFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
