package dev.comity.core.port.store;

import dev.comity.core.outcome.Kind;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.scope.SkippedEndings;
import dev.comity.core.url.CrawlUrl;
import java.util.Optional;

/**
 * An entry of the frontier: a URL and how it was found.
 *
 * @param url the URL
 * @param kind what is fetched: a page, a sitemap, an image, or the links of a known page
 * @param depth links followed from a seed to here; for a sitemap, files that name one another from
 *     robots.txt to here
 * @param referrer the page it was found on; none for a seed
 * @param hops redirects followed since the link that was written on a page
 * @param asked how often it was requested; requested URLs come after all others
 * @param triesSpent how many of those count against its retries
 * @param fallback the http form of a seed given as a bare host, used if https has no connection
 * @param source the named set of URLs it was given with
 * @param visits what earlier visits have shown; empty for a page that was never visited
 */
public record QueuedUrl(
    CrawlUrl url,
    Kind kind,
    int depth,
    Optional<CrawlUrl> referrer,
    int hops,
    int asked,
    int triesSpent,
    Optional<CrawlUrl> fallback,
    Optional<String> source,
    Optional<PageVisits> visits) {

  /** A URL that was never visited. */
  public QueuedUrl(
      CrawlUrl url,
      Kind kind,
      int depth,
      Optional<CrawlUrl> referrer,
      int hops,
      int asked,
      int triesSpent,
      Optional<CrawlUrl> fallback,
      Optional<String> source) {
    this(url, kind, depth, referrer, hops, asked, triesSpent, fallback, source, Optional.empty());
  }

  /** A page. */
  public QueuedUrl(
      CrawlUrl url,
      int depth,
      Optional<CrawlUrl> referrer,
      int hops,
      int asked,
      int triesSpent,
      Optional<CrawlUrl> fallback,
      Optional<String> source) {
    this(url, Kind.PAGE, depth, referrer, hops, asked, triesSpent, fallback, source);
  }

  /** A seed. */
  public static QueuedUrl seed(CrawlUrl url, Optional<CrawlUrl> fallback) {
    return new QueuedUrl(url, 0, Optional.empty(), 0, 0, 0, fallback, Optional.empty());
  }

  /** A sitemap given by the user, to start from the URLs it lists. */
  public static QueuedUrl seedSitemap(CrawlUrl url) {
    return new QueuedUrl(
        url, Kind.SITEMAP, 0, Optional.empty(), 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** A sitemap that a robots.txt names. */
  public static QueuedUrl sitemap(CrawlUrl url) {
    return new QueuedUrl(
        url, Kind.SITEMAP, 1, Optional.empty(), 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** An image given by the user. */
  public static QueuedUrl seedImage(CrawlUrl url) {
    return new QueuedUrl(
        url, Kind.IMAGE, 0, Optional.empty(), 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** Whether the user gave it. */
  public boolean isSeed() {
    return depth == 0 && hops == 0 && referrer.isEmpty();
  }

  /** Whether it is a page that the user gave, or a target of its redirects. */
  public boolean isStart() {
    return kind == Kind.PAGE && depth == 0 && referrer.isEmpty();
  }

  /** Whether redirects of a page that the user gave lead here. */
  public boolean isMovedStart() {
    return isStart() && hops > 0;
  }

  /**
   * Whether it is counted and not fetched: its ending names a type that is not kept. A seed is
   * fetched all the same.
   *
   * @param accepted types that are kept beside HTML
   */
  public boolean isSkipped(AcceptedTypes accepted) {
    return kind == Kind.PAGE && !isSeed() && SkippedEndings.isOn(url, accepted);
  }

  /** The same URL, given with this source. */
  public QueuedUrl of(String name) {
    return of(Optional.of(name));
  }

  /** The same URL with this source, or with none. */
  public QueuedUrl of(Optional<String> other) {
    return new QueuedUrl(
        url, kind, depth, referrer, hops, asked, triesSpent, fallback, other, visits);
  }

  /** A link found on this page. */
  public QueuedUrl link(CrawlUrl target) {
    return found(target, Kind.PAGE, depth + 1);
  }

  /** An image seen on this page. */
  public QueuedUrl image(CrawlUrl target) {
    return found(target, Kind.IMAGE, depth + 1);
  }

  /** A page that this sitemap lists, at depth 1 wherever the sitemap was found. */
  public QueuedUrl listed(CrawlUrl target) {
    return found(target, Kind.PAGE, 1);
  }

  /** A sitemap that this one names. */
  public QueuedUrl furtherSitemap(CrawlUrl target) {
    return found(target, Kind.SITEMAP, depth + 1);
  }

  /** A feed that this page names. */
  public QueuedUrl feed(CrawlUrl target) {
    return found(target, Kind.SITEMAP, 1);
  }

  /** Whether it is a feed: a page names it, while robots.txt or a sitemap names sitemaps. */
  public boolean isFeed() {
    return kind == Kind.SITEMAP && depth == 1 && referrer.isPresent();
  }

  private QueuedUrl found(CrawlUrl target, Kind what, int far) {
    return new QueuedUrl(
        target, what, far, Optional.of(url), 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** The target of this URL's redirect: the same depth and referrer, one hop further. */
  public QueuedUrl hop(CrawlUrl target) {
    return new QueuedUrl(
        target, found(), depth, referrer, hops + 1, 0, 0, Optional.empty(), source);
  }

  /** Targets of a page that was fetched for its links are fetched as pages. */
  private Kind found() {
    return kind == Kind.LINKS ? Kind.PAGE : kind;
  }

  /** The same known page, to be fetched for its links alone. */
  public QueuedUrl forLinks() {
    return with(Kind.LINKS).unspent();
  }

  /** The same URL as a page, even if it was fetched for its links alone. */
  public QueuedUrl asPage() {
    return with(found());
  }

  private QueuedUrl with(Kind other) {
    return new QueuedUrl(
        url, other, depth, referrer, hops, asked, triesSpent, fallback, source, visits);
  }

  /** The same URL with no tries spent. */
  public QueuedUrl unspent() {
    return new QueuedUrl(url, kind, depth, referrer, hops, asked, 0, fallback, source, visits);
  }

  /** The same URL with what its visits have shown. */
  public QueuedUrl visited(Optional<PageVisits> seen) {
    return new QueuedUrl(
        url, kind, depth, referrer, hops, asked, triesSpent, fallback, source, seen);
  }

  /** Whether it is a page, or a sitemap, that was visited before. */
  public boolean isRevisit() {
    return visits.isPresent() && (kind == Kind.PAGE || kind == Kind.SITEMAP);
  }

  /** The same page at another authority of its site. */
  public QueuedUrl at(CrawlUrl elsewhere) {
    return new QueuedUrl(elsewhere, found(), depth, referrer, hops, 0, 0, Optional.empty(), source);
  }

  /** The same URL after one more request. */
  public QueuedUrl askedAgain(boolean spendsTry) {
    return new QueuedUrl(
        url,
        kind,
        depth,
        referrer,
        hops,
        asked + 1,
        triesSpent + (spendsTry ? 1 : 0),
        fallback,
        source,
        visits);
  }
}
