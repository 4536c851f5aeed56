package dev.comity.core.engine;

import dev.comity.core.policy.Slots;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/**
 * Whom this process has met, longer than a claim lasts: which authorities let it in and when a site
 * last answered. Many more than are worked on at once, so nobody is forgotten while it matters.
 */
final class Acquaintances {
  private static final int MOST = 10_000;

  private final Recent<Authority, Boolean> reached = new Recent<>(MOST);
  private final Recent<DomainName, Instant> answers = new Recent<>(MOST);

  /** A connection was made: whatever fails from now on, it is not that nobody listens there. */
  void reached(Authority authority) {
    reached.keep(authority, true);
  }

  boolean hasReached(Authority authority) {
    return reached.find(authority).isPresent();
  }

  /** The site has answered something. */
  void answered(DomainName domain, Instant at) {
    answers.keep(domain, at);
  }

  /** When the site last answered since this process began. */
  Instant lastAnswer(DomainName domain) {
    return answers.find(domain).orElse(Slots.NEVER);
  }
}
