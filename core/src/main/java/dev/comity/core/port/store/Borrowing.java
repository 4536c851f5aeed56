package dev.comity.core.port.store;

/** Whether a domain was lent for a request on behalf of another domain. */
public sealed interface Borrowing {

  /** It was claimed. */
  record Lent(Claim claim) implements Borrowing {}

  /** Another worker holds it: ask again later. */
  record HeldElsewhere() implements Borrowing {}

  /** No request may be sent to it: it is closed, paused, or one sub-domain too many. */
  record Closed() implements Borrowing {}
}
