package dev.comity.core.policy;

import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells our own outage from theirs. When most of the sites that are known to answer cannot be
 * reached within the same few seconds, the fault is on our side: the worker pauses, and what it
 * counted against them in that time is taken back.
 *
 * <p>Only domains that have answered, in this run or lately, are weighed; a list of dead hosts is
 * no outage. Each counts once, by its latest result. The guard remembers what was seen in the
 * window and nothing else; it has no clock, and one worker's event loop owns it.
 */
public final class OutageGuard {

  /** How far back results count: the time one address has to accept a connection. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /** Fewer domains than three may well fail at once by chance. */
  private static final int FEWEST = 3;

  /** How often one of them is connected to during a pause: one connection troubles no site. */
  private static final Duration PROBE_EVERY = Duration.ofSeconds(5);

  /** How long ago a domain may have answered to be weighed; after a month it may well be gone. */
  private static final Duration ANSWERED_WITHIN = Duration.ofDays(30);

  /** What the worker should do. */
  public sealed interface OutageVerdict {
    /** Nothing unusual. */
    record GoOn() implements OutageVerdict {}

    /**
     * Start nothing. Take back what was counted against these domains since then, and connect to
     * one of them at the given time.
     */
    record Pause(List<DomainName> takeBack, Instant since, Instant probeAt)
        implements OutageVerdict {}

    /** Still nothing gets through. */
    record StayPaused(DomainName probe, Instant probeAt) implements OutageVerdict {}

    /** The network is back. */
    record Resume() implements OutageVerdict {}
  }

  private record Sighting(DomainName domain, boolean connected, Instant at) {}

  private static final OutageVerdict GO_ON = new OutageVerdict.GoOn();

  private final Deque<Sighting> seen = new ArrayDeque<>();
  private final Map<DomainName, Sighting> latest = new HashMap<>();
  private List<DomainName> suspects = List.of();
  private int failing;
  private int probes;

  /** Whether nothing may be started. */
  public boolean paused() {
    return !suspects.isEmpty();
  }

  /**
   * A connection was made, or could not be made because of the network or its name.
   *
   * @param lastAnswer when the domain last answered anything; {@link Slots#NEVER} if it never did
   */
  public OutageVerdict saw(DomainName domain, boolean connected, Instant lastAnswer, Instant now) {
    forget(now.minus(WINDOW));
    if (lastAnswer.isBefore(now.minus(ANSWERED_WITHIN)) || paused()) {
      return GO_ON;
    }
    Sighting sighting = new Sighting(domain, connected, now);
    seen.addLast(sighting);
    replace(latest.put(domain, sighting), sighting);
    if (latest.size() < FEWEST || failing * 2 <= latest.size()) {
      return GO_ON;
    }
    List<DomainName> failed = new ArrayList<>();
    for (Sighting each : seen) {
      if (!each.connected() && !failed.contains(each.domain())) {
        failed.add(each.domain());
      }
    }
    suspects = List.copyOf(failed);
    return new OutageVerdict.Pause(suspects, now.minus(WINDOW), now.plus(PROBE_EVERY));
  }

  /** How a connection made during the pause ended. */
  public OutageVerdict probed(boolean connected, Instant now) {
    if (!paused()) {
      return GO_ON;
    }
    if (!connected) {
      probes++;
      return new OutageVerdict.StayPaused(
          suspects.get(probes % suspects.size()), now.plus(PROBE_EVERY));
    }
    suspects = List.of();
    seen.clear();
    latest.clear();
    failing = 0;
    probes = 0;
    return new OutageVerdict.Resume();
  }

  private void forget(Instant before) {
    while (!seen.isEmpty() && seen.getFirst().at().isBefore(before)) {
      Sighting old = seen.removeFirst();
      if (latest.remove(old.domain(), old) && !old.connected()) {
        failing--;
      }
    }
  }

  private void replace(@Nullable Sighting old, Sighting sighting) {
    if (old != null && !old.connected()) {
      failing--;
    }
    if (!sighting.connected()) {
      failing++;
    }
  }
}
