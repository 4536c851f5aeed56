package dev.comity.store;

/** The store cannot be opened or written to as things are; the message says what to do. */
public final class StoreUnusable extends RuntimeException {
  StoreUnusable(String message) {
    super(message);
  }

  StoreUnusable(String message, Throwable cause) {
    super(message, cause);
  }
}
