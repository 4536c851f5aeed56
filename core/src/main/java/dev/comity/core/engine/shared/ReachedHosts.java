package dev.comity.core.engine.shared;

import dev.comity.core.policy.Slots;
import dev.comity.core.port.store.Claim;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Recent;
import java.time.Instant;
import java.util.Optional;

/**
 * Whom this process has met, longer than a claim lasts: which authorities let it in and when a site
 * last answered. Many more than are worked on at once, so nobody is forgotten while it matters.
 */
public final class ReachedHosts {
  private static final int MOST = 10_000;

  private final Recent<Authority, Boolean> reached = new Recent<>(MOST);
  private final Recent<DomainName, Instant> answers = new Recent<>(MOST);

  /** A connection was made: whatever fails from now on, it is not that nobody listens there. */
  public void reached(Authority authority) {
    reached.keep(authority, true);
  }

  private boolean hasReached(Authority authority) {
    return reached.find(authority).isPresent();
  }

  /** Neither who holds this claim nor one before it had an answer from there. */
  public boolean isStranger(Authority authority, Claim claim) {
    return !hasReached(authority) && !claim.state().heard().by().equals(Optional.of(authority));
  }

  /** The site has answered something. */
  public void answered(DomainName domain, Instant at) {
    answers.keep(domain, at);
  }

  /**
   * When the site last answered, as far as that says anything about this authority: one that never
   * let us in may always have been dead.
   */
  public Instant lastAnswer(Authority authority, Claim claim) {
    if (hasReached(authority)) {
      return answers.find(claim.domain()).orElse(Slots.NEVER);
    }
    return isStranger(authority, claim) ? Slots.NEVER : claim.state().heard().lastAnswer();
  }
}
