package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Grouping;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a store is told.
 *
 * @param worker the name this process goes by
 * @param off the switches of the environment that are off, as other workers see them
 * @param trouble hears what keeps the store from writing, and an empty text when it is over
 */
public record StoreSettings(
    DomainPolicy policy,
    Grouping grouping,
    StoreLimits limits,
    String worker,
    List<String> off,
    InstantSource clock,
    Consumer<String> trouble) {

  /** A process with this switch off has a database alone. */
  public static final String CLAIMS = "ENABLE_CLAIM_PROTOCOL";

  public StoreSettings {
    off = List.copyOf(off);
  }

  /** The usual ones. */
  public static StoreSettings of(DomainPolicy policy, Grouping grouping, InstantSource clock) {
    return new StoreSettings(
        policy, grouping, StoreLimits.DEFAULTS, "comity", List.of(), clock, _ -> {});
  }

  /** These settings with other limits. */
  public StoreSettings with(StoreLimits other) {
    return new StoreSettings(policy, grouping, other, worker, off, clock, trouble);
  }

  /** These settings for a worker of another name. */
  public StoreSettings named(String other) {
    return new StoreSettings(policy, grouping, limits, other, off, clock, trouble);
  }

  /** These settings with someone to hear of trouble. */
  public StoreSettings telling(Consumer<String> hearer) {
    return new StoreSettings(policy, grouping, limits, worker, off, clock, hearer);
  }

  /** These settings with switches that are off. */
  public StoreSettings without(List<String> switches) {
    return new StoreSettings(policy, grouping, limits, worker, switches, clock, trouble);
  }
}
