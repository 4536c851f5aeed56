package dev.comity.core.schedule;

import java.util.Locale;

/** Why a page is due when it is. */
public enum DueReason {
  /** It was visited once. */
  FIRST(0, "it was visited once"),
  /** By its rate of change and the price of a visit. */
  RATE(1, "by how often it changes, and the refresh budget of its domain"),
  /** The site says how long its answer stays fresh. */
  SAID(2, "its Cache-Control or Expires header says that it stays fresh until then"),
  /** The site's own dates say that it has changed. */
  HINT(3, "its site's sitemap or feed says that it has changed"),
  /** It was missing once; it is gone if it is missing again. */
  MISSING(4, "it was missing, and is gone if it is missing again"),
  /** It changes too often for its copy to be kept fresh. */
  TOO_FAST(5, "it changes too often for a copy to stay fresh"),
  /** Sitemaps and feeds are read for what they say of other pages. */
  LISTING(
      6, "sitemaps are read daily and feeds every six hours, unless their dates are not trusted"),
  /** The last visit showed nothing. */
  NO_EVIDENCE(7, "its last answer told nothing about it"),
  /** By the plain rule: twice as long after no change, half as long after one. */
  STEP(8, "by the plain rule: twice as late if unchanged, half as late if changed");

  private final int number;
  private final String words;

  /**
   * @param number as it is stored
   */
  DueReason(int number, String words) {
    this.number = number;
    this.words = words;
  }

  /** The reason in words, to follow a time. */
  public String words() {
    return words;
  }

  /** The reason in output for programs. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The number that stands for it where it is stored. */
  public int number() {
    return number;
  }

  /** The reason of this number. */
  public static DueReason of(int number) {
    for (DueReason reason : values()) {
      if (reason.number == number) {
        return reason;
      }
    }
    return FIRST;
  }
}
