package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;

/** A parser of robots.txt for our robots token. Any bytes give rules, never an exception. */
public interface RobotsReader {
  RobotsRules read(Body robotsTxt);
}
