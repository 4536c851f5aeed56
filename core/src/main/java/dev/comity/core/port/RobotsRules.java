package dev.comity.core.port;

import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.util.Optional;

/** What one authority's robots.txt says to us. */
public interface RobotsRules {

  /** Whether we may ask for this URL. */
  boolean allows(CrawlUrl url);

  /** Whether there is nothing at all we may ask for. */
  boolean deniesEverything();

  /** The pause the site asks for between requests. */
  Optional<Duration> crawlDelay();
}
