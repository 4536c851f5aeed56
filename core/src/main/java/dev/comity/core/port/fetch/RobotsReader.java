package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;

/** Reads a robots.txt for our own robots token. Any bytes at all give rules, never an exception. */
public interface RobotsReader {
  RobotsRules read(Body robotsTxt);
}
