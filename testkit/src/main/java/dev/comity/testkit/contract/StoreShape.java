package dev.comity.testkit.contract;

import java.time.Duration;

/**
 * What a contract wants of the store it is given; in all else a store is as it comes.
 *
 * @param lease how long a claim lasts
 * @param mostUnfinished URLs one domain may have waiting
 */
public record StoreShape(Duration lease, int mostUnfinished) {
  /** As a crawl has it. */
  public static final StoreShape USUAL = new StoreShape(Duration.ofMinutes(30), 100_000);

  /** The same with another lease. */
  public StoreShape withLease(Duration other) {
    return new StoreShape(other, mostUnfinished);
  }

  /** The same with another limit. */
  public StoreShape withMostUnfinished(int other) {
    return new StoreShape(lease, other);
  }
}
