package dev.comity.core.port.store;

/**
 * What a write on behalf of a claim added.
 *
 * @param elsewhere whether there may be a URL now that another domain did not have
 * @param skipped how many new URLs are not asked because their ending names a type that is not kept
 */
public record Written(boolean elsewhere, long skipped) {
  /** Nothing was added. */
  public static final Written NOTHING = new Written(false, 0);
}
