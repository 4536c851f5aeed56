package dev.comity.core.port.run;

import java.time.Instant;
import java.util.Optional;

/** What a worker without a claim can expect of a run. */
public sealed interface Outlook {

  /** No domain of the run can be claimed, now or later, and none is held. */
  record Nothing() implements Outlook {}

  /** No domain is held and none can be claimed, but the operator has paused some with work. */
  record OnlyPaused() implements Outlook {}

  /** No domain is held; the next one can be claimed then. */
  record At(Instant time) implements Outlook {}

  /**
   * Domains are held, by others or by a claim of this worker's own that it never heard of. URLs of
   * further domains may be found, and what is held may come back.
   *
   * @param claims how many domains are held
   * @param next when the next domain can be claimed, if one is waiting
   */
  record Others(int claims, Optional<Instant> next) implements Outlook {}
}
