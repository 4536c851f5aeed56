package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Priority;
import dev.comity.core.url.Grouping;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What a store is told.
 *
 * @param worker the name this process goes by
 * @param lease how long a claim lasts unless renewed
 * @param mostUnfinished URLs one domain may have waiting; more are counted and not kept
 * @param mostSubdomains domains under one registered name that links may open
 * @param mostAhead URLs of all held domains that are kept in memory
 * @param keepText whether the text of pages is kept
 * @param trouble hears what keeps the store from writing, and an empty text when it is over
 */
public record StoreSettings(
    DomainPolicy policy,
    Grouping grouping,
    Priority priority,
    String worker,
    Duration lease,
    int mostUnfinished,
    int mostSubdomains,
    int mostAhead,
    boolean keepText,
    InstantSource clock,
    Consumer<String> trouble) {

  /** The usual ones. */
  public static StoreSettings of(DomainPolicy policy, Grouping grouping, InstantSource clock) {
    return new StoreSettings(
        policy,
        grouping,
        new Priority(Priority.Weights.DEFAULTS),
        "comity",
        Duration.ofMinutes(30),
        100_000,
        1000,
        50_000,
        false,
        clock,
        _ -> {});
  }

  /** These settings with another lease. */
  public StoreSettings withLease(Duration other) {
    return new StoreSettings(
        policy,
        grouping,
        priority,
        worker,
        other,
        mostUnfinished,
        mostSubdomains,
        mostAhead,
        keepText,
        clock,
        trouble);
  }

  /** These settings with another bound on what waits. */
  public StoreSettings withMostUnfinished(int other) {
    return new StoreSettings(
        policy,
        grouping,
        priority,
        worker,
        lease,
        other,
        mostSubdomains,
        mostAhead,
        keepText,
        clock,
        trouble);
  }

  /** These settings with another bound on sub-domains. */
  public StoreSettings withMostSubdomains(int other) {
    return new StoreSettings(
        policy,
        grouping,
        priority,
        worker,
        lease,
        mostUnfinished,
        other,
        mostAhead,
        keepText,
        clock,
        trouble);
  }

  /** These settings, keeping the text of pages or not. */
  public StoreSettings keepingText(boolean kept) {
    return new StoreSettings(
        policy,
        grouping,
        priority,
        worker,
        lease,
        mostUnfinished,
        mostSubdomains,
        mostAhead,
        kept,
        clock,
        trouble);
  }

  /** These settings with someone to hear of trouble. */
  public StoreSettings telling(Consumer<String> hearer) {
    return new StoreSettings(
        policy,
        grouping,
        priority,
        worker,
        lease,
        mostUnfinished,
        mostSubdomains,
        mostAhead,
        keepText,
        clock,
        hearer);
  }
}
