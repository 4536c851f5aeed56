package dev.comity.app.text;

import dev.comity.core.policy.lifecycle.Standing;

/** Says where a domain stands. */
public final class Standings {
  private Standings() {}

  /** {@code unreachable (connection_failed) until 2026-11-15 13:00:00 UTC}. */
  public static String spoken(Standing standing) {
    String status = Words.of(standing.status());
    String reason = standing.reason().map(why -> " (" + Words.of(why) + ")").orElse("");
    String until =
        standing
            .until()
            .map(at -> " until " + Timestamps.second(at))
            .orElse(standing.permanent() ? " for good" : "");
    return status + reason + until;
  }
}
