package dev.comity.core.port.store;

import dev.comity.core.url.DomainName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The claim is no longer held: nothing was written, and the job ends. */
public final class ClaimLost extends RuntimeException {
  private final @Nullable String damage;

  /** Another worker holds the domain by now, or may. */
  public ClaimLost(DomainName domain, long token) {
    super("claim " + token + " on " + domain + " is no longer held");
    damage = null;
  }

  /** The store has set the domain aside, because what it keeps of it cannot be read. */
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
