package dev.comity.store;

/** The store cannot be opened or written to as things are; the message says what to do. */
public final class StoreUnusable extends RuntimeException {
  public StoreUnusable(String message) {
    super(message);
  }

  public StoreUnusable(String message, Throwable cause) {
    super(message, cause);
  }
}
