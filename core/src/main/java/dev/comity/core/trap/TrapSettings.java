package dev.comity.core.trap;

import dev.comity.core.util.Require;

/**
 * Where a crawl stops believing that more of the same will bring something new.
 *
 * @param barrenPages pages of one template that bring nothing new, in a row, after which it is
 *     suppressed; 0: never
 */
public record TrapSettings(int barrenPages) {
  public static final TrapSettings DEFAULTS = new TrapSettings(100);

  public TrapSettings {
    // A template's memory of barren pages holds 225.
    Require.within(0, 200, barrenPages, "barren-pages");
  }
}
