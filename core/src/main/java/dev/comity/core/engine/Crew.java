package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/** What the workers of one crawl share. */
interface Crew {
  CrawlPlan plan();

  CrawlParts parts();

  /** Places for requests in flight, over all domains. */
  Berths berths();

  OutageWatch outage();

  /** What robots.txt files were read. */
  RobotsShelf robots();

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
