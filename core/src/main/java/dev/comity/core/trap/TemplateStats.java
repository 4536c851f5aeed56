package dev.comity.core.trap;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of one template of a domain.
 *
 * @param template its text
 * @param pages how many of its URLs became pages when they were first asked
 * @param barren how many of the last of them brought nothing new and were found on such pages, with
 *     none between them that did
 * @param leftOut links to it that were found and not kept since it is suppressed
 * @param suppressed since when and why its URLs are not asked, if they are not
 * @param lifted whether an operator said that it is no trap; then it never is
 * @param foundOn the pages those barren ones were found on, as bits: about how many they are
 */
public record TemplateStats(
    String template,
    long pages,
    int barren,
    long leftOut,
    Optional<Suppression> suppressed,
    boolean lifted,
    long foundOn,
    TemplateSketch sketch) {
  private static final int LEAST_BEGETTERS = 5;

  /** Since when, and why. */
  public record Suppression(Instant since, TrapReason reason) {}

  static TemplateStats fresh(String template) {
    return new TemplateStats(template, 0, 0, 0, Optional.empty(), false, 0, TemplateSketch.NONE);
  }

  /** After one more page. */
  TemplateStats after(PageNovelty page, int barrenPages, Instant now) {
    Optional<TrapReason> why = sketch.barren(page, pages);
    // In a trap barren pages beget barren pages. Where a good page lists many that are alike, there
    // is an end to them: its list.
    boolean tells =
        why.isPresent() && (page.origin().begotten() || why.get() == TrapReason.COMBINATIONS);
    int inARow = why.isEmpty() ? 0 : tells ? barren + 1 : barren;
    long seenOn = why.isEmpty() ? 0 : tells ? foundOn | bit(page) : foundOn;
    Optional<Suppression> standing = suppressed;
    if (tells
        && suppressed.isEmpty()
        && !lifted
        && barrenPages > 0
        && inARow >= barrenPages
        && isFromMany(seenOn, barrenPages)) {
      standing = Optional.of(new Suppression(now, why.get()));
    }
    return new TemplateStats(
        template,
        pages + 1,
        inARow,
        leftOut,
        standing,
        lifted,
        seenOn,
        sketch.with(page, why.isPresent()));
  }

  private static long bit(PageNovelty page) {
    return 1L << page.origin().referrer();
  }

  /** One page that was taken for barren by mistake must not cost all it lists. */
  private static boolean isFromMany(long foundOn, int barrenPages) {
    return Long.bitCount(foundOn) >= Math.min(LEAST_BEGETTERS, barrenPages);
  }

  /** After a link to it was found that is not followed. */
  TemplateStats leavingOut(TrapReason reason, Instant now) {
    return new TemplateStats(
        template,
        pages,
        barren,
        leftOut + 1,
        suppressed.or(() -> Optional.of(new Suppression(now, reason))),
        lifted,
        foundOn,
        sketch);
  }

  /** As no trap, whatever it brings. */
  public TemplateStats lifting() {
    return new TemplateStats(template, pages, 0, leftOut, Optional.empty(), true, 0, sketch);
  }
}
