package dev.comity.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a visit of a page came to. */
public enum VisitResult {
  /** It was never visited before. */
  NEW,
  CHANGED,
  UNCHANGED,
  /** It was known, but not its text: there is nothing to compare with. */
  FIRST_COMPARED,
  /** It is not there, for the first time or for less than a week. */
  MISSING,
  /** It was not there twice, a week apart. */
  GONE,
  /** The answer tells nothing about the page. */
  NO_EVIDENCE;

  /** A page that is missing for so long is gone; sites lose pages for a day. */
  public static final Duration GONE_AFTER = Duration.ofDays(7);

  /** The result of a visit, by what was known before. */
  public static VisitResult of(Optional<PageVisits> before, PageSeen seen, Instant now) {
    if (seen instanceof PageSeen.NoAnswer) {
      return NO_EVIDENCE;
    }
    if (before.isEmpty()) {
      return NEW;
    }
    PageVisits known = before.get();
    return switch (seen) {
      case PageSeen.SameAsBefore _ -> UNCHANGED;
      case PageSeen.SeenText(long text) when known.missingSince().isPresent() -> CHANGED;
      case PageSeen.SeenText(long text) when known.fingerprint().isEmpty() -> FIRST_COMPARED;
      case PageSeen.SeenText(long text) ->
          known.fingerprint().getAsLong() == text ? UNCHANGED : CHANGED;
      case PageSeen.MissingPage _ -> isGone(known, now) ? GONE : MISSING;
      case PageSeen.NoAnswer _ -> NO_EVIDENCE;
    };
  }

  private static boolean isGone(PageVisits known, Instant now) {
    return known.missingSince().isPresent()
        && !now.isBefore(known.missingSince().get().plus(GONE_AFTER));
  }

  /** Whether the page's content is as it was. */
  public boolean isUnchanged() {
    return this == UNCHANGED;
  }
}
