package dev.comity.core.port;

import dev.comity.core.url.DomainName;

/** The domain belongs to someone else by now: nothing was written, and the job ends. */
public final class ClaimLost extends RuntimeException {
  public ClaimLost(DomainName domain, long token) {
    super("claim " + token + " on " + domain + " is no longer held");
  }
}
