package dev.comity.core.port.fetch;

import java.util.Optional;

/**
 * What a server said of the version that is known. A request with them is answered with 304 where
 * that version is still the current one.
 */
public record Validators(Optional<String> etag, Optional<String> lastModified) {
  /** Nothing is known. */
  public static final Validators NONE = new Validators(Optional.empty(), Optional.empty());

  /** A longer value was cut when it was stored, and would not match. */
  public static final int LONGEST = 1000;

  public Validators {
    etag = etag.filter(Validators::isSendable);
    lastModified = lastModified.filter(Validators::isSendable);
  }

  /** Whether it can stand in a request's header as it is. */
  private static boolean isSendable(String value) {
    return !value.isEmpty()
        && value.length() <= LONGEST
        && value.chars().allMatch(c -> c >= ' ' && c != 0x7f && c <= 0xff);
  }
}
