package dev.comity.core.schedule;

import dev.comity.core.policy.Fate;
import java.util.Optional;

/**
 * How many pages may still be had. Taking a URL reserves one; what ends as no page gives it back,
 * so failures never use up a budget and requests in flight never exceed it. Answers that are not
 * kept have a limit of their own, as high as that of pages: a site of films ends, too.
 *
 * @param limit pages in all
 * @param settled pages that have their answer
 * @param unkept answers that were not kept
 * @param reserved URLs taken and not yet settled
 */
public record Budget(long limit, long settled, long unkept, long reserved) {

  public Budget {
    // Several are made for every page, so what would be wrong is only put into words if it is.
    if (limit < 0
        || settled < 0
        || unkept < 0
        || reserved < 0
        || Math.max(settled, unkept) + reserved > limit) {
      throw new IllegalArgumentException(
          "a budget of "
              + limit
              + " cannot hold "
              + settled
              + " settled, "
              + unkept
              + " not kept, "
              + reserved
              + " reserved");
    }
  }

  /** A budget nothing was taken from. */
  public static Budget of(long pages) {
    return new Budget(pages, 0, 0, 0);
  }

  /** This budget with one page set aside; empty if none is left. */
  public Optional<Budget> reserve() {
    return hasRoom()
        ? Optional.of(new Budget(limit, settled, unkept, reserved + 1))
        : Optional.empty();
  }

  /** Whether a page could be set aside. */
  public boolean hasRoom() {
    return Math.max(settled, unkept) + reserved < limit;
  }

  /** A reserved page has its answer. */
  public Budget settle() {
    return new Budget(limit, settled + 1, unkept, reserved - 1);
  }

  /** A reserved page is not to be had, or not now. */
  public Budget giveBack() {
    return new Budget(limit, settled, unkept, reserved - 1);
  }

  /** The answer for a reserved page is not kept. */
  private Budget leave() {
    return new Budget(limit, settled, unkept + 1, reserved - 1);
  }

  /** What this fate does to the reservation it had. Only pages are reserved for. */
  public Budget after(Fate fate) {
    if (fate.isPage()) {
      return settle();
    }
    return fate.isUnkept() ? leave() : giveBack();
  }

  /** Whether all there may be has its answer, so that nothing more comes back. */
  public boolean spent() {
    return Math.max(settled, unkept) == limit;
  }
}
