package dev.comity.app.demo;

import java.time.Instant;

/**
 * A request as a site of the demo sees it.
 *
 * @param port the one all sites share
 */
record Visit(String path, Instant at, int port) {
  boolean isForRobots() {
    return path.equals("/robots.txt");
  }
}
