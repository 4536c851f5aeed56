package dev.comity.core.schedule;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What visits of a page have shown so far.
 *
 * @param at when it was visited last with an answer that tells something
 * @param fingerprint of its text; empty where none was read yet
 * @param history its changes
 * @param missingSince when it was first missing, where it is
 * @param etag a validator of the last answer; likewise the last modification
 * @param hint what the site's own dates said since the last visit
 */
public record PageVisits(
    Instant at,
    OptionalLong fingerprint,
    ChangeHistory history,
    Optional<Instant> missingSince,
    Optional<String> etag,
    Optional<String> lastModified,
    Hint hint) {

  /** Whether the site said that the page has changed since its last visit. */
  public enum Hint {
    NONE,
    /** It said so, and the page is visited because of it. */
    FOLLOWED,
    /** It said so, and its dates are not trusted, or tried on other pages first. */
    LEFT;

    /** The hint of this number, as it is stored. */
    public static Hint of(int number) {
      return switch (number) {
        case 1 -> FOLLOWED;
        case 2 -> LEFT;
        default -> NONE;
      };
    }
  }

  /** A page that was visited once. */
  public static PageVisits first(
      Instant at, PageSeen seen, Optional<String> etag, Optional<String> lastModified) {
    return new PageVisits(
        at,
        seen.fingerprint(),
        ChangeHistory.NONE,
        seen instanceof PageSeen.MissingPage ? Optional.of(at) : Optional.empty(),
        etag,
        lastModified,
        Hint.NONE);
  }

  /** The same page with another hint. */
  public PageVisits hinted(Hint said) {
    return new PageVisits(at, fingerprint, history, missingSince, etag, lastModified, said);
  }

  /** The same page with the time of its visit in whole seconds, as it is stored. */
  public PageVisits inSeconds() {
    return at.getNano() == 0
        ? this
        : new PageVisits(
            Instant.ofEpochSecond(at.getEpochSecond()),
            fingerprint,
            history,
            missingSince,
            etag,
            lastModified,
            hint);
  }
}
