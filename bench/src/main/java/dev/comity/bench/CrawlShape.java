package dev.comity.bench;

import java.time.Duration;
import org.jspecify.annotations.NullMarked;

/**
 * What is crawled.
 *
 * @param delay between two requests to a host
 * @param latency what every answer takes
 * @param https whether the hosts are asked over https
 */
@NullMarked
record CrawlShape(int hosts, int pages, Duration delay, Duration latency, boolean https) {
  /** Over http, as fast as it goes. */
  static CrawlShape fast(int hosts, int pages) {
    return new CrawlShape(hosts, pages, Duration.ZERO, Duration.ZERO, false);
  }

  CrawlShape overHttps() {
    return new CrawlShape(hosts, pages, delay, latency, true);
  }

  CrawlShape away(Duration otherLatency) {
    return new CrawlShape(hosts, pages, delay, otherLatency, https);
  }

  CrawlShape every(Duration otherDelay) {
    return new CrawlShape(hosts, pages, otherDelay, latency, https);
  }

  String scheme() {
    return https ? "https" : "http";
  }
}
