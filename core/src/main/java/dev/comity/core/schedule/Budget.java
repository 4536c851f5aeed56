package dev.comity.core.schedule;

import dev.comity.core.policy.Fate;
import java.util.Optional;

/**
 * A page budget. Sending a URL reserves a page, and a URL that ends as no page gives it back. So
 * failures never use up a budget, and requests in flight never exceed it. Answers that are not kept
 * have the same limit, counted apart: a site of films ends, too.
 *
 * @param limit pages in all
 * @param settled pages that have their answer
 * @param unkept answers that were not kept
 * @param reserved URLs taken and not yet settled
 */
public record Budget(long limit, long settled, long unkept, long reserved) {

  public Budget {
    // Several are made for every page, so the message is only built for a failure.
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

  /** A new budget. */
  public static Budget of(long pages) {
    return new Budget(pages, 0, 0, 0);
  }

  /** This budget with another limit, but no less than is settled and reserved. */
  public Budget withLimit(long pages) {
    long used = Math.max(settled, unkept) + reserved;
    return new Budget(Math.max(pages, used), settled, unkept, reserved);
  }

  /** This budget with one page reserved; empty if none is left. */
  public Optional<Budget> reserve() {
    return hasRoom()
        ? Optional.of(new Budget(limit, settled, unkept, reserved + 1))
        : Optional.empty();
  }

  /** How many pages could be reserved. */
  public long left() {
    return limit - Math.max(settled, unkept) - reserved;
  }

  /** Whether a page could be reserved. */
  public boolean hasRoom() {
    return left() > 0;
  }

  /** A reserved page is settled. */
  public Budget settle() {
    return new Budget(limit, settled + 1, unkept, reserved - 1);
  }

  /** A reserved page is given back. */
  public Budget giveBack() {
    return new Budget(limit, settled, unkept, reserved - 1);
  }

  /** The answer for a reserved page is not kept. */
  private Budget leave() {
    return new Budget(limit, settled, unkept + 1, reserved - 1);
  }

  /** This budget after a reserved URL met this fate. */
  public Budget after(Fate fate) {
    if (fate.isPage()) {
      return settle();
    }
    return fate.isUnkept() ? leave() : giveBack();
  }

  /** Whether every page is settled, so that no reservation comes back. */
  public boolean spent() {
    return Math.max(settled, unkept) == limit;
  }
}
