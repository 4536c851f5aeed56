package dev.comity.core.policy;

import java.util.Optional;

/**
 * How many pages may still be had. Taking a URL reserves one; what ends without an answer gives it
 * back, so failures never use up a budget and requests in flight never exceed it.
 *
 * @param limit pages in all
 * @param settled pages that have their answer
 * @param reserved URLs taken and not yet settled
 */
public record Budget(long limit, long settled, long reserved) {

  public Budget {
    // Several are made for every page, so what would be wrong is only put into words if it is.
    if (limit < 0 || settled < 0 || reserved < 0 || settled + reserved > limit) {
      throw new IllegalArgumentException(
          "a budget of "
              + limit
              + " cannot hold "
              + settled
              + " settled, "
              + reserved
              + " reserved");
    }
  }

  /** A budget nothing was taken from. */
  public static Budget of(long pages) {
    return new Budget(pages, 0, 0);
  }

  /** This budget with one page set aside; empty if none is left. */
  public Optional<Budget> reserve() {
    return hasRoom() ? Optional.of(new Budget(limit, settled, reserved + 1)) : Optional.empty();
  }

  /** Whether a page could be set aside. */
  public boolean hasRoom() {
    return settled + reserved < limit;
  }

  /** A reserved page has its answer. */
  public Budget settle() {
    return new Budget(limit, settled + 1, reserved - 1);
  }

  /** A reserved page is not to be had, or not now. */
  public Budget giveBack() {
    return new Budget(limit, settled, reserved - 1);
  }

  /** What this fate does to the reservation it had. Only pages are reserved for. */
  public Budget after(Fate fate) {
    return fate.isPage() ? settle() : giveBack();
  }

  /** Whether every page has its answer, so that nothing more comes back. */
  public boolean spent() {
    return settled == limit;
  }
}
