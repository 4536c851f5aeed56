package dev.comity.testkit.contract;

import java.time.Duration;

/**
 * What a contract wants of the store it is given; in all else a store is as it comes.
 *
 * @param lease how long a claim lasts
 * @param mostUnfinished URLs one domain may have waiting
 * @param mostSubdomains domains under one registered name that links may open
 */
public record StoreShape(Duration lease, int mostUnfinished, int mostSubdomains) {
  /** As a crawl has it. */
  public static final StoreShape USUAL = new StoreShape(Duration.ofMinutes(30), 100_000, 1000);

  /** The same with another lease. */
  public StoreShape withLease(Duration other) {
    return new StoreShape(other, mostUnfinished, mostSubdomains);
  }

  /** The same with another limit. */
  public StoreShape withMostUnfinished(int other) {
    return new StoreShape(lease, other, mostSubdomains);
  }

  /** The same with another limit on sub-domains. */
  public StoreShape withMostSubdomains(int other) {
    return new StoreShape(lease, mostUnfinished, other);
  }
}
