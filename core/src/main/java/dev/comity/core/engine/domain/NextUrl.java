package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The URL that a domain's worker has taken from the frontier and not sent yet. It is sent, or
 * settled unasked; until then there is no other.
 */
final class NextUrl {
  private final CrawlParts parts;
  private final ClaimedDomain claimed;
  private final Job job;
  private final FoundLinks links;
  private final Sitemaps sitemaps;
  private final TrapWatch traps;

  /** Authorities that could not be connected to over https; bare hosts are asked over http. */
  private final Set<Authority> withoutHttps = new HashSet<>();

  private Optional<Next.Ready> held = Optional.empty();

  NextUrl(
      CrawlContext context, ClaimedDomain claimed, Job job, Sitemaps sitemaps, TrapWatch traps) {
    parts = context.parts();
    this.claimed = claimed;
    this.job = job;
    links = new FoundLinks(context);
    this.sitemaps = sitemaps;
    this.traps = traps;
  }

  /** What is in hand, or else what the frontier has. */
  Next take(Instant now) {
    if (held.isPresent()) {
      return held.get();
    }
    Next next = parts.store().frontier().next(claimed.claim(), now);
    if (next instanceof Next.Ready ready) {
      held = Optional.of(ready);
    }
    return next;
  }

  /** Whether nothing is in hand, and nothing queued, deferred or in flight. */
  boolean isEmpty() {
    return held.isEmpty() && parts.store().frontier().isEmpty(claimed.claim());
  }

  Optional<QueuedUrl> entry() {
    return held.map(Next.Ready::entry);
  }

  /** It is under way. */
  void sent() {
    held = Optional.empty();
  }

  /** No https connection to this authority can be made: its bare hosts are asked over http. */
  void fallBack(Authority authority) {
    withoutHttps.add(authority);
  }

  private Optional<QueuedUrl> overHttp(QueuedUrl entry) {
    return withoutHttps.contains(entry.url().authority())
        ? entry.fallback().map(entry::at)
        : Optional.empty();
  }

  /** Settles what is not to be asked whatever robots.txt says; answers whether it was that. */
  boolean isPassedOver(QueuedUrl entry) {
    Optional<QueuedUrl> moved =
        links.moved(entry, claimed.state().heard().doors()).or(() -> overHttp(entry));
    if (moved.isPresent()) {
      settle(entry, new Fate.Moved(), moved.stream().toList());
      return true;
    }
    if (entry.isSkipped()) {
      // Queued before its ending was looked at: other links are not queued at all.
      settle(entry, new Fate.Skipped());
      return true;
    }
    if (traps.isCaught(entry)) {
      settle(entry, new Fate.Suppressed());
      return true;
    }
    if (entry.kind() == Kind.SITEMAP && !sitemaps.wantsMore(job)) {
      settle(entry, new Fate.Denied());
      return true;
    }
    return false;
  }

  /** Settles it unasked. */
  Step settle(QueuedUrl entry, Fate fate) {
    return settle(entry, fate, List.of());
  }

  private Step settle(QueuedUrl entry, Fate fate, List<QueuedUrl> found) {
    held = Optional.empty();
    Settlement settlement = Settlement.unasked(entry, fate, claimed.state(), found);
    claimed.settle(settlement);
    parts.listener().settled(claimed.domain(), settlement);
    return Step.Plain.DONE;
  }
}
