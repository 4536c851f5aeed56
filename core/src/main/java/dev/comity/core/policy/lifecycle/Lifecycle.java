package dev.comity.core.policy.lifecycle;

import static dev.comity.core.policy.lifecycle.DomainStatus.ACTIVE;
import static dev.comity.core.policy.lifecycle.DomainStatus.BLOCKED;
import static dev.comity.core.policy.lifecycle.DomainStatus.EXHAUSTED;
import static dev.comity.core.policy.lifecycle.DomainStatus.PENDING;
import static dev.comity.core.policy.lifecycle.DomainStatus.UNREACHABLE;

import dev.comity.core.policy.settings.CooldownSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The one place where a domain's status changes. Every way from one state to another is a row of
 * {@link #TABLE}, with its cause; anything else is a mistake of ours and throws.
 */
public final class Lifecycle {

  /** What changes a status. */
  public enum Cause {
    /** A worker takes the claim, or takes it over. */
    CLAIM,
    /** The claim's holder settles a request or finds nothing left to do. */
    HOLDER,
    /** A cooldown has ended. Needs no claim. */
    COOLDOWN,
    /** A due URL arrives. Needs no claim. */
    ARRIVAL,
    /** It was our own network that failed, so the verdict is taken back. */
    TAKE_BACK,
    /** The operator wants a fresh start. */
    RESET,
    /** The operator wants it left alone. */
    BLOCK
  }

  /** One way a status may change. */
  public record Transition(DomainStatus from, DomainStatus to, Cause cause) {}

  /** Every way there is. */
  public static final List<Transition> TABLE =
      List.of(
          new Transition(PENDING, ACTIVE, Cause.CLAIM),
          new Transition(ACTIVE, ACTIVE, Cause.CLAIM),
          new Transition(EXHAUSTED, ACTIVE, Cause.CLAIM),
          new Transition(BLOCKED, ACTIVE, Cause.CLAIM),
          new Transition(UNREACHABLE, ACTIVE, Cause.CLAIM),
          new Transition(PENDING, BLOCKED, Cause.HOLDER),
          new Transition(PENDING, UNREACHABLE, Cause.HOLDER),
          new Transition(ACTIVE, EXHAUSTED, Cause.HOLDER),
          new Transition(ACTIVE, BLOCKED, Cause.HOLDER),
          new Transition(ACTIVE, UNREACHABLE, Cause.HOLDER),
          new Transition(BLOCKED, PENDING, Cause.COOLDOWN),
          new Transition(UNREACHABLE, PENDING, Cause.COOLDOWN),
          new Transition(EXHAUSTED, PENDING, Cause.ARRIVAL),
          new Transition(UNREACHABLE, ACTIVE, Cause.TAKE_BACK),
          new Transition(PENDING, PENDING, Cause.RESET),
          new Transition(ACTIVE, PENDING, Cause.RESET),
          new Transition(EXHAUSTED, PENDING, Cause.RESET),
          new Transition(BLOCKED, PENDING, Cause.RESET),
          new Transition(UNREACHABLE, PENDING, Cause.RESET),
          new Transition(PENDING, BLOCKED, Cause.BLOCK),
          new Transition(ACTIVE, BLOCKED, Cause.BLOCK),
          new Transition(EXHAUSTED, BLOCKED, Cause.BLOCK),
          new Transition(BLOCKED, BLOCKED, Cause.BLOCK),
          new Transition(UNREACHABLE, BLOCKED, Cause.BLOCK));

  /** After three cooldowns without a success another one would not help either. */
  private static final int PERMANENT_AFTER = 3;

  /** A site that cannot be reached may be back within the hour, or gone for weeks. */
  private static final List<Duration> UNREACHABLE_FOR =
      List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7));

  private final CooldownSettings settings;

  public Lifecycle(CooldownSettings settings) {
    this.settings = settings;
  }

  /** Whether a domain may pass from one status to the other through this door. */
  public static boolean allows(DomainStatus from, DomainStatus to, Cause cause) {
    return TABLE.contains(new Transition(from, to, cause));
  }

  /**
   * A worker begins. A closed domain can be claimed once its cooldown is over, swept or not.
   *
   * @throws IllegalStateException for a domain that is still closed
   */
  public Standing claimed(Standing standing, Instant now) {
    if (standing.reason().isPresent() && !cooledDown(standing, now)) {
      throw new IllegalStateException("a closed domain was claimed: " + standing);
    }
    return open(standing, ACTIVE, Cause.CLAIM, standing.setbacks());
  }

  /** The holder found nothing queued, deferred or in flight. */
  public Standing exhausted(Standing standing) {
    return open(standing, EXHAUSTED, Cause.HOLDER, standing.setbacks());
  }

  /** The site's behaviour closes it, for longer each time and in the end for good. */
  public Standing closed(Standing standing, CloseReason reason, Instant now) {
    boolean forGood = standing.setbacks() >= PERMANENT_AFTER;
    return close(
        standing,
        reason,
        forGood ? Optional.empty() : Optional.of(now.plus(cooldown(reason, standing.setbacks()))),
        Cause.HOLDER);
  }

  /** The site asked for more time than we are ready to keep in mind. */
  public Standing closedForGood(Standing standing, CloseReason reason) {
    return close(standing, reason, Optional.empty(), Cause.HOLDER);
  }

  /** A closed domain loses the end of its cooldown; its status stays what it is. */
  public Standing withoutEnd(Standing standing) {
    return standing.until().isEmpty()
        ? standing
        : new Standing(
            standing.status(),
            standing.reason(),
            Optional.empty(),
            standing.setbacks(),
            standing.detail());
  }

  /** Whether a cooldown is over, so that the sweep may open the domain. */
  public static boolean cooledDown(Standing standing, Instant now) {
    return standing.until().isPresent() && !now.isBefore(standing.until().get());
  }

  /** The cooldown has ended. */
  public Standing cooled(Standing standing) {
    return open(standing, PENDING, Cause.COOLDOWN, standing.setbacks());
  }

  /** A due URL arrived for a domain that had nothing left. */
  public Standing arrival(Standing standing) {
    return standing.status() == EXHAUSTED
        ? open(standing, PENDING, Cause.ARRIVAL, standing.setbacks())
        : standing;
  }

  /** The failures that closed it were our own. */
  public Standing takenBack(Standing standing) {
    return open(standing, ACTIVE, Cause.TAKE_BACK, Math.max(0, standing.setbacks() - 1));
  }

  /** The operator opens it, with nothing held against it. */
  public Standing reset(Standing standing) {
    return open(standing, PENDING, Cause.RESET, 0);
  }

  /** The operator closes it. */
  public Standing blocked(Standing standing) {
    return close(standing, CloseReason.OPERATOR, Optional.empty(), Cause.BLOCK);
  }

  private Duration cooldown(CloseReason reason, int setbacks) {
    return settings.times().isEmpty()
        ? usual(reason, setbacks)
        : settings.times().get(Math.min(setbacks, settings.times().size() - 1));
  }

  /** By how soon what closed the domain is likely to change. */
  private static Duration usual(CloseReason reason, int setbacks) {
    return switch (reason) {
      case LOGIN_REQUIRED -> Duration.ofDays(30); // Members' pages stay members' pages.
      case PAYMENT_REQUIRED, LEGAL -> Duration.ofDays(30); // Terms and laws change slowly.
      case ROBOTS_DENIED -> Duration.ofDays(90); // The owner has said it in so many words.
      case FORBIDDEN, CHALLENGE -> Duration.ofDays(14); // Blocked addresses are let go in weeks.
      case RATE_LIMITED -> Duration.ofDays(7); // Quotas are by the day or by the week.
      case SERVER_ERRORS -> Duration.ofDays(1); // Servers are mended.
      case TIMEOUT, CONNECTION_FAILED, TLS_FAILURE, DNS_FAILURE ->
          UNREACHABLE_FOR.get(Math.min(setbacks, UNREACHABLE_FOR.size() - 1));
      case OPERATOR -> throw new IllegalStateException("an operator's block has no cooldown");
    };
  }

  private static Standing open(Standing from, DomainStatus to, Cause cause, int setbacks) {
    require(from.status(), to, cause);
    return setbacks == 0 && to == ACTIVE ? Standing.ACTIVE : Standing.open(to, setbacks);
  }

  private static Standing close(
      Standing from, CloseReason reason, Optional<Instant> until, Cause cause) {
    require(from.status(), reason.status(), cause);
    int setbacks = cause == Cause.HOLDER ? from.setbacks() + 1 : from.setbacks();
    return Standing.closed(reason.status(), reason, until, setbacks);
  }

  private static void require(DomainStatus from, DomainStatus to, Cause cause) {
    if (!allows(from, to, cause)) {
      throw new IllegalStateException("no way from " + from + " to " + to + " by " + cause);
    }
  }
}
