package dev.comity.core.port;

import dev.comity.core.url.CrawlUrl;
import java.util.Optional;

/**
 * A URL on its way through the frontier.
 *
 * @param depth links followed from a seed to here
 * @param referrer the page it was found on; none for a seed
 * @param hops redirects followed since the link that was written on a page
 * @param asked how often it was asked already; a URL that was comes after all that were not
 * @param triesSpent how many of those count against its retries
 * @param fallback what to ask as well if no connection can be made: the http form of a seed given
 *     as a bare host
 * @param source the named set of URLs it was given with
 */
public record QueuedUrl(
    CrawlUrl url,
    int depth,
    Optional<CrawlUrl> referrer,
    int hops,
    int asked,
    int triesSpent,
    Optional<CrawlUrl> fallback,
    Optional<String> source) {

  /** A seed. */
  public static QueuedUrl seed(CrawlUrl url, Optional<CrawlUrl> fallback) {
    return new QueuedUrl(url, 0, Optional.empty(), 0, 0, 0, fallback, Optional.empty());
  }

  /** The same URL, given with this source. */
  public QueuedUrl of(String name) {
    return new QueuedUrl(
        url, depth, referrer, hops, asked, triesSpent, fallback, Optional.of(name));
  }

  /** A link found on this page. */
  public QueuedUrl link(CrawlUrl target) {
    return new QueuedUrl(
        target, depth + 1, Optional.of(url), 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** Where this URL redirects to: the same depth and referrer, one hop further. */
  public QueuedUrl hop(CrawlUrl target) {
    return new QueuedUrl(target, depth, referrer, hops + 1, 0, 0, Optional.empty(), source);
  }

  /** The same page at another authority of its site. */
  public QueuedUrl at(CrawlUrl elsewhere) {
    return new QueuedUrl(elsewhere, depth, referrer, hops, 0, 0, Optional.empty(), source);
  }

  /** The same URL after it was asked once more. */
  public QueuedUrl askedAgain(boolean spendsTry) {
    return new QueuedUrl(
        url, depth, referrer, hops, asked + 1, triesSpent + (spendsTry ? 1 : 0), fallback, source);
  }
}
