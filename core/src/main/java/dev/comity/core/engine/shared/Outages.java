package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.OutageGuard.OutageVerdict;
import dev.comity.core.port.Signal;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Handles outages of the crawler's own network. All workers pause, and one site after the other is
 * probed until one accepts a connection. Failures counted against silent sites are taken back.
 */
public final class Outages {
  private final DomainPolicy policy;
  private final CrawlParts parts;
  private final ActiveDomains activeDomains;
  private final TaskGroup errands;
  private final Signal news;
  private final OutageWatch watch;
  private final Queue<Ours> ours = new ConcurrentLinkedQueue<>();

  /** Failures counted against these domains since then were our own outage. */
  private record Ours(List<DomainName> domains, Instant since) {}

  Outages(
      DomainPolicy policy,
      CrawlParts parts,
      ActiveDomains activeDomains,
      TaskGroup errands,
      Signal news) {
    this.policy = policy;
    watch = new OutageWatch(policy.outageGuard());
    this.parts = parts;
    this.activeDomains = activeDomains;
    this.errands = errands;
    this.news = news;
  }

  public boolean isPaused() {
    return watch.isPaused();
  }

  /**
   * Takes in how an attempt to connect ended.
   *
   * @param connected whether the request was started
   * @param lastAnswer when the site answered before
   */
  public void saw(
      DomainName domain,
      Authority authority,
      boolean connected,
      FetchOutcome outcome,
      Instant lastAnswer,
      Instant at) {
    if (!connected && !(outcome instanceof FetchOutcome.Unreachable)) {
      return;
    }
    OutageVerdict verdict =
        watch.saw(
            domain,
            authority,
            connected || outcome instanceof FetchOutcome.TlsFailed,
            lastAnswer,
            at);
    if (verdict instanceof OutageVerdict.Pause(var silent, var since, var probeAt)) {
      ours.add(new Ours(silent, since));
      news.raise();
      parts.listener().outage(true);
      errands.start("see whether the network is back", () -> probe(silent.getFirst(), probeAt));
    }
  }

  /** Connects to one site every few seconds, and lets all workers go on when one accepts. */
  private void probe(DomainName first, Instant firstAt) {
    DomainName domain = first;
    Instant at = firstAt;
    try {
      while (true) {
        parts.time().await(new Signal(), at);
        var authority = watch.probe(domain);
        boolean reached = authority.isPresent() && parts.fetcher().reaches(authority.get());
        if (!(watch.probed(reached, parts.time().instant())
            instanceof OutageVerdict.StayPaused(var next, var nextAt))) {
          break;
        }
        domain = next;
        at = nextAt;
      }
      parts.listener().outage(false);
      activeDomains.wakeAll();
      news.raise();
    } catch (InterruptedException _) {
      // The crawl is stopping.
    }
  }

  /** A leaving worker returns a report that came too late for it. */
  public void unheard(DomainName domain, Instant since) {
    ours.add(new Ours(List.of(domain), since));
  }

  /**
   * Takes back failures that were our own outage. Only the claiming thread calls it. So a domain
   * has a worker, which is told, or has none, and its row can be changed.
   */
  public void takeBack() {
    for (Ours fault = ours.poll(); fault != null; fault = ours.poll()) {
      Instant since = fault.since();
      for (DomainName domain : fault.domains()) {
        if (!activeDomains.takeBack(domain, since)) {
          // Only the state that this crawl left: another worker may have had the domain since.
          activeDomains
              .releasedToken(domain)
              .ifPresent(
                  token ->
                      parts
                          .store()
                          .takeBack(domain, token, state -> policy.takenBack(state, since)));
        }
      }
    }
  }
}
