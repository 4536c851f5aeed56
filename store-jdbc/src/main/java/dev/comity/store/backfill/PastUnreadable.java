package dev.comity.store.backfill;

/** What another program left cannot be read; the message names the thing and the reason. */
public final class PastUnreadable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public PastUnreadable(String message) {
    super(message);
  }

  public PastUnreadable(String message, Throwable cause) {
    super(message, cause);
  }
}
