package dev.comity.core.policy.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where a domain stands in its life.
 *
 * @param reason why it is closed
 * @param until when its cooldown ends; empty for a closed domain that only an operator can open
 * @param setbacks cooldowns in a row without a success between them
 * @param detail what the site said with the reason, such as a price
 */
public record Standing(
    DomainStatus status,
    Optional<CloseReason> reason,
    Optional<Instant> until,
    int setbacks,
    Optional<String> detail) {

  public Standing(
      DomainStatus status, Optional<CloseReason> reason, Optional<Instant> until, int setbacks) {
    this(status, reason, until, setbacks, Optional.empty());
  }

  /** Known, and not yet asked. */
  public static final Standing PENDING = untroubled(DomainStatus.PENDING);

  /** Being crawled. */
  public static final Standing ACTIVE = untroubled(DomainStatus.ACTIVE);

  /** Nothing is left to ask. */
  public static final Standing EXHAUSTED = untroubled(DomainStatus.EXHAUSTED);

  private static Standing untroubled(DomainStatus status) {
    return new Standing(status, Optional.empty(), Optional.empty(), 0);
  }

  /** Nearly all domains have one of three standings, and share them. */
  static Standing open(DomainStatus status, int setbacks) {
    if (setbacks == 0) {
      for (Standing shared : List.of(PENDING, ACTIVE, EXHAUSTED)) {
        if (shared.status() == status) {
          return shared;
        }
      }
    }
    return new Standing(status, Optional.empty(), Optional.empty(), setbacks);
  }

  public static Standing closed(
      DomainStatus status, CloseReason reason, Optional<Instant> until, int setbacks) {
    return new Standing(status, Optional.of(reason), until, setbacks);
  }

  /** The same, with what the site said. */
  public Standing saying(Optional<String> said) {
    return new Standing(status, reason, until, setbacks, said);
  }

  /** Why it is closed, in words. */
  public Optional<String> words() {
    return reason.map(why -> why.words() + detail.map(said -> ": " + said).orElse(""));
  }

  /** Whether requests may go out at all. */
  public boolean mayBeAsked() {
    return status == DomainStatus.PENDING || status == DomainStatus.ACTIVE;
  }

  /** Whether only an operator can open it again. */
  public boolean permanent() {
    return reason.isPresent() && until.isEmpty();
  }

  /** Whether it waits for its first success after a cooldown. */
  public boolean recovering() {
    return setbacks > 0 && mayBeAsked();
  }

  public Standing succeeded() {
    return setbacks == 0 || !mayBeAsked() ? this : open(status, 0);
  }
}
