package dev.comity.core.trap;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of one template of a domain.
 *
 * @param template its text
 * @param pages how many of its URLs became pages when they were first asked
 * @param barren how many of the last of them brought nothing new, in a row
 * @param leftOut links to it that were found and not kept since it is suppressed
 * @param suppressed since when and why its URLs are not asked, if they are not
 * @param lifted whether an operator said that it is no trap; then it never is
 */
public record Tally(
    String template,
    long pages,
    int barren,
    long leftOut,
    Optional<Suppression> suppressed,
    boolean lifted,
    Memory memory) {

  /** Since when, and why. */
  public record Suppression(Instant since, TrapReason reason) {}

  static Tally fresh(String template) {
    return new Tally(template, 0, 0, 0, Optional.empty(), false, Memory.NONE);
  }

  /** After one more page. */
  Tally after(Yield page, int barrenPages, Instant now) {
    Optional<TrapReason> why = memory.barren(page, pages);
    int inARow = why.isPresent() ? barren + 1 : 0;
    Optional<Suppression> standing = suppressed;
    if (suppressed.isEmpty() && !lifted && barrenPages > 0 && inARow >= barrenPages) {
      standing = why.map(reason -> new Suppression(now, reason));
    }
    return new Tally(template, pages + 1, inARow, leftOut, standing, lifted, memory.with(page));
  }

  /** After a link to it was found that is not followed. */
  Tally leavingOut(TrapReason reason, Instant now) {
    return new Tally(
        template,
        pages,
        barren,
        leftOut + 1,
        suppressed.or(() -> Optional.of(new Suppression(now, reason))),
        lifted,
        memory);
  }

  /** As no trap, whatever it brings. */
  public Tally lifting() {
    return new Tally(template, pages, 0, leftOut, Optional.empty(), true, memory);
  }
}
