package dev.comity.store.backfill;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One row of another program's memory: a request that it made, or a URL that it was going to ask.
 *
 * @param url empty where only the domain is known
 * @param requested whether it was asked; otherwise it waits
 * @param at when it was asked
 * @param status of the answer; empty where there was none
 * @param images how many images the page shows
 * @param due when the other program meant to look again
 */
public record PastVisit(
    DomainName domain,
    Optional<CrawlUrl> url,
    boolean requested,
    Optional<Instant> at,
    OptionalInt status,
    long images,
    Optional<Instant> due) {

  /** A URL that waits. */
  public static PastVisit queued(DomainName domain, CrawlUrl url) {
    return new PastVisit(
        domain,
        Optional.of(url),
        false,
        Optional.empty(),
        OptionalInt.empty(),
        0,
        Optional.empty());
  }

  /** A URL that was asked. */
  public static PastVisit asked(
      DomainName domain,
      CrawlUrl url,
      OptionalInt status,
      Optional<Instant> at,
      Optional<Instant> due) {
    return new PastVisit(domain, Optional.of(url), true, at, status, 0, due);
  }

  /** The same at another time. */
  PastVisit at(Optional<Instant> when, Optional<Instant> next) {
    return new PastVisit(domain, url, requested, when, status, images, next);
  }
}
