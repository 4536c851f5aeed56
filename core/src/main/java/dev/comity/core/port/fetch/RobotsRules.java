package dev.comity.core.port.fetch;

import dev.comity.core.policy.VisitTime;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What one authority's robots.txt says to us. */
public interface RobotsRules {

  /** Whether we may ask for this URL. */
  boolean allows(CrawlUrl url);

  /** Whether there is nothing at all we may ask for. */
  boolean deniesEverything();

  /** The pause the site asks for between requests. */
  Optional<Duration> crawlDelay();

  /** The hours of the day at which the site may be asked; empty for all of them. */
  default Optional<VisitTime> visitTime() {
    return Optional.empty();
  }

  /** The sitemaps the file names, as written there; whoever reads it may use them. */
  default List<String> sitemaps() {
    return List.of();
  }

  /** The same for every URL, and no pause. */
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
