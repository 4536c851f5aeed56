package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.OutageGuard.Verdict;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a crawl does about outages of its own network: everybody pauses, one site after the other is
 * knocked at until one lets us in, and what was counted against the silent ones is taken back.
 */
public final class Outages {
  private final DomainPolicy policy;
  private final CrawlParts parts;
  private final ActiveDomains activeDomains;
  private final TaskGroup errands;
  private final Signal news;
  private final OutageWatch watch;
  private final Queue<Ours> ours = new ConcurrentLinkedQueue<>();

  /** What was counted against these domains since then was our own outage. */
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

  /** How an attempt to connect ended, for telling our own outage from theirs. */
  public void saw(DomainName domain, CrawlUrl url, Answer answer, Instant lastAnswer) {
    boolean connected = answer.startedAt().isPresent();
    FetchOutcome outcome = answer.fetched().outcome();
    if (!connected && !(outcome instanceof FetchOutcome.Unreachable)) {
      return;
    }
    Verdict verdict =
        watch.saw(
            domain,
            url.authority(),
            connected || outcome instanceof FetchOutcome.TlsFailed,
            lastAnswer,
            answer.at());
    if (verdict instanceof Verdict.Pause(var silent, var since, var probeAt)) {
      ours.add(new Ours(silent, since));
      news.raise();
      parts.listener().outage(true);
      errands.start("see whether the network is back", () -> knock(silent.getFirst(), probeAt));
    }
  }

  /**
   * Connects to one of the silent sites every few seconds, and lets everyone go on when one lets us
   * in.
   */
  private void knock(DomainName first, Instant firstAt) {
    DomainName domain = first;
    Instant at = firstAt;
    try {
      while (true) {
        parts.time().await(new Signal(), at);
        var door = watch.door(domain);
        boolean opened = door.isPresent() && parts.fetcher().reaches(door.get());
        if (!(watch.probed(opened, parts.time().instant())
            instanceof Verdict.StayPaused(var next, var nextAt))) {
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

  /** A worker was leaving, and hands back what it did not hear. */
  public void unheard(DomainName domain, Instant since) {
    ours.add(new Ours(List.of(domain), since));
  }

  /**
   * Takes back what was our own fault. Called in the thread that claims, and in no other: so a
   * domain is worked on and hears of it, or is not and its row can be changed.
   */
  public void takeBack() {
    for (Ours fault = ours.poll(); fault != null; fault = ours.poll()) {
      Instant since = fault.since();
      for (DomainName domain : fault.domains()) {
        if (!activeDomains.takeBack(domain, since)) {
          parts.store().takeBack(domain, state -> policy.takenBack(state, since));
        }
      }
    }
  }
}
