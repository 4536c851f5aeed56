package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;

/**
 * A parser of the files in which an authority speaks to robots: robots.txt, for our robots token,
 * and tdmrep.json. Any bytes give rules, never an exception.
 */
public interface RobotsReader {
  RobotsRules read(Body robotsTxt);

  /** What a tdmrep.json says; without a parser it says nothing. */
  default Reservations reservations(Body tdmRep) {
    return Reservations.NONE;
  }

  /** What is reserved from mining, by URL. */
  interface Reservations {
    /** No file, or nothing in it. */
    Reservations NONE =
        new Reservations() {
          @Override
          public Wishes wishes(CrawlUrl url) {
            return Wishes.NONE;
          }

          @Override
          public boolean isEmpty() {
            return true;
          }
        };

    Wishes wishes(CrawlUrl url);

    /** Whether it says nothing about any URL. */
    default boolean isEmpty() {
      return false;
    }
  }
}
