package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Optional;

/** What the workers of one crawl share. */
interface Crew {
  CrawlPlan plan();

  CrawlParts parts();

  /** Places for requests in flight, over all domains. */
  Berths berths();

  OutageWatch outage();

  /** What robots.txt files were read. */
  RobotsShelf robots();

  /** What workers ask of one another. */
  Favours favours();

  /**
   * Asks the worker of the domain that keeps it for a file; answers what became of it, once
   * anything has.
   *
   * @param asker raised when there is an answer
   */
  Optional<Favours.Reply> askFor(CrawlUrl file, Signal asker);

  /** Who was met before, be it under another claim. */
  Acquaintances acquaintances();

  boolean isStopping();

  /** There may be something new to claim. */
  void tell();

  /** Something happened that should not. */
  void failed(Throwable cause);

  /** How an attempt to connect ended, for telling our own outage from theirs. */
  void sawConnection(DomainName domain, CrawlUrl url, Answer answer, Instant lastAnswer);
}
