package dev.comity.core.port.store;

import java.time.Instant;
import java.util.Optional;

/** What a worker without a claim can expect of a run. */
public sealed interface Outlook {

  /** No domain of the run can be claimed, now or later, and no other worker holds one. */
  record Nothing() implements Outlook {}

  /** No other worker holds a domain; the next one can be claimed then. */
  record At(Instant time) implements Outlook {}

  /**
   * Other workers hold domains, and may find URLs of further ones.
   *
   * @param claims how many domains they hold
   * @param next when the next domain can be claimed, if one is waiting
   */
  record Others(int claims, Optional<Instant> next) implements Outlook {}
}
