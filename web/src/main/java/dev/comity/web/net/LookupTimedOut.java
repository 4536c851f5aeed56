package dev.comity.web.net;

import java.net.UnknownHostException;
import java.time.Duration;

/** No name server said whether a name has an address, neither yes nor no. */
public final class LookupTimedOut extends UnknownHostException {
  private final transient Duration after;

  LookupTimedOut(String host, Duration after) {
    super(host);
    this.after = after;
  }

  /** How long it was waited for. */
  public Duration after() {
    return after;
  }
}
