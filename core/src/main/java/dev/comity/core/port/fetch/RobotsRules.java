package dev.comity.core.port.fetch;

import dev.comity.core.policy.VisitTime;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The rules of one authority's robots.txt for our robots token. */
public interface RobotsRules {

  /** Whether this URL may be fetched. */
  boolean allows(CrawlUrl url);

  /** Whether no URL may be fetched. */
  boolean deniesEverything();

  /** The delay between requests that the site asks for. */
  Optional<Duration> crawlDelay();

  /** The hours of the day at which the site may be fetched; empty for all of them. */
  default Optional<VisitTime> visitTime() {
    return Optional.empty();
  }

  /** The sitemaps that the file names, as written there. */
  default List<String> sitemaps() {
    return List.of();
  }

  /** What the file says about the use of this URL's content. */
  default Wishes wishes(CrawlUrl url) {
    return Wishes.NONE;
  }

  /** The same rule for every URL, without a delay. */
  record Everything(boolean allowed) implements RobotsRules {
    @Override
    public boolean allows(CrawlUrl url) {
      return allowed;
    }

    @Override
    public boolean deniesEverything() {
      return !allowed;
    }

    @Override
    public Optional<Duration> crawlDelay() {
      return Optional.empty();
    }
  }
}
