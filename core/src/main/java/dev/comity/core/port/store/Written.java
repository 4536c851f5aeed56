package dev.comity.core.port.store;

/**
 * What a write under a claim added, and what the operator wants by then.
 *
 * @param elsewhere whether another domain may have a new URL
 * @param skipped how many new URLs are not fetched because their ending names a type not kept
 * @param terms the terms of the domain when it was written
 */
public record Written(boolean elsewhere, long skipped, OperatorTerms terms) {
  /** Nothing was added. */
  public static Written nothing(OperatorTerms terms) {
    return new Written(false, 0, terms);
  }
}
