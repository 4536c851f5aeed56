package dev.comity.web.net;

import dev.comity.core.outcome.FetchOutcome.Unsent;
import java.io.IOException;

/**
 * Thrown through the HTTP client, which knows only {@code IOException}: the address is not allowed.
 */
public final class AddressRefusal extends IOException {
  private final transient Unsent outcome;

  AddressRefusal(Unsent outcome) {
    super(outcome.toString());
    this.outcome = outcome;
  }

  /** What the attempt has come to. */
  public Unsent outcome() {
    return outcome;
  }
}
