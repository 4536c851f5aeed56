package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.KnownAuthorities;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides which links and redirects of an answer are added to the frontiers. */
record FoundLinks(CrawlContext context, FoundImages images) {

  /** Redirects followed from one URL: real ones need two or three, a loop has no end. */
  static final int MOST_HOPS = 5;

  FoundLinks(CrawlContext context) {
    this(context, new FoundImages(new UsageTerms(context)));
  }

  /**
   * The targets of an answer.
   *
   * @param urls targets that are followed
   * @param outside links within the domain that depth or patterns leave out
   */
  record Found(List<QueuedUrl> urls, List<QueuedUrl> outside) {}

  /**
   * The links of a page or the target of its redirect, if they are in scope. Links within the
   * domain must not lead into a trap. A link to another domain is checked by that domain's worker.
   * Where an authority of the domain has moved, links lead to the new one. Images come first: a
   * link to an image file is an entry for an image.
   */
  Found found(QueuedUrl entry, Completed answer, ClaimedDomain claimed, TrapWatch traps) {
    boolean redirects = answer.fetched().outcome() instanceof FetchOutcome.Redirect;
    int depth = redirects ? entry.depth() : entry.depth() + 1;
    KnownAuthorities authorities = claimed.state().heard().doors();
    List<QueuedUrl> kept = new ArrayList<>(images.of(entry, answer));
    List<QueuedUrl> outside = new ArrayList<>();
    Set<CrawlUrl> files = images.linked(answer);
    for (CrawlUrl target : targets(entry, answer)) {
      if (files.contains(target)) {
        continue;
      }
      CrawlUrl url = now(entry, target, depth, authorities);
      QueuedUrl lead = redirects ? entry.hop(url) : entry.link(url);
      if (follows(entry, url, depth, redirects)) {
        if (!(claimed.owns(url) && traps.catches(url, answer.at()))) {
          kept.add(lead);
        }
      } else if (claimed.owns(url) && context.isOutside(entry.url(), url, depth)) {
        outside.add(lead);
      }
    }
    return new Found(List.copyOf(kept), List.copyOf(outside));
  }

  private boolean follows(QueuedUrl entry, CrawlUrl url, int depth, boolean redirects) {
    boolean moves = redirects && entry.isStart();
    return moves
        ? context.followsMove(entry.url(), url, depth)
        : context.follows(entry.url(), url, depth);
  }

  private List<CrawlUrl> targets(QueuedUrl entry, Completed answer) {
    if (!(answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect)) {
      DroppedParameters dropped = context.plan().scope().dropped();
      return dropped.names().isEmpty()
          ? answer.links()
          : answer.links().stream().map(dropped::without).distinct().toList();
    }
    return redirect.target().isPresent() && entry.hops() < MOST_HOPS
        ? List.of(redirect.target().get())
        : List.of();
  }

  /** The target of a permanent redirect, if it is followed. */
  Optional<CrawlUrl> goneTo(QueuedUrl entry, Completed answer) {
    return answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect
            && redirect.permanent()
        ? redirect.target().filter(target -> context.follows(entry.url(), target, entry.depth()))
        : Optional.empty();
  }

  /** The same page at its authority's new place, if that has moved since the URL was found. */
  Optional<QueuedUrl> moved(QueuedUrl entry, KnownAuthorities authorities) {
    CrawlUrl now = now(entry, entry.url(), entry.depth(), authorities);
    return now.equals(entry.url()) ? Optional.empty() : Optional.of(entry.at(now));
  }

  /** The URL at its authority's new place, unless that is out of scope. */
  private CrawlUrl now(QueuedUrl entry, CrawlUrl url, int depth, KnownAuthorities authorities) {
    CrawlUrl now = authorities.now(url);
    return now.equals(url) || context.follows(entry.url(), now, depth) ? now : url;
  }
}
