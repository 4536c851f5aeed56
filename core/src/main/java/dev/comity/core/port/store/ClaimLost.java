package dev.comity.core.port.store;

import dev.comity.core.url.DomainName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown when a claim is no longer held: nothing was written, and the worker ends. */
public final class ClaimLost extends RuntimeException {
  private final @Nullable String damage;

  /** Another worker may hold the domain by now. */
  public ClaimLost(DomainName domain, long token) {
    super("claim " + token + " on " + domain + " is no longer held");
    damage = null;
  }

  /** The store has quarantined the domain, because its stored data cannot be read. */
  public ClaimLost(DomainName domain, long token, String damage) {
    super("claim " + token + " on " + domain + " has ended, the domain is set aside: " + damage);
    this.damage = damage;
  }

  /** How the work on the domain ended. */
  public Ending ending() {
    return Optional.ofNullable(damage)
        .<Ending>map(Ending.SetAside::new)
        .orElseGet(Ending.Lost::new);
  }
}
