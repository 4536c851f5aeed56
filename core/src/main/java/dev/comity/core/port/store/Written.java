package dev.comity.core.port.store;

/**
 * What a write under a claim added.
 *
 * @param elsewhere whether another domain may have a new URL
 * @param skipped how many new URLs are not fetched because their ending names a type not kept
 */
public record Written(boolean elsewhere, long skipped) {
  /** Nothing was added. */
  public static final Written NOTHING = new Written(false, 0);
}
