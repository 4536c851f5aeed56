package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.KnownAuthorities;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.fetch.SitemapReader.Listed;
import dev.comity.core.port.fetch.SitemapReader.Tally;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a domain's sitemaps. A site may speak for itself alone: sitemaps that its
 * robots.txt or another sitemap names, and pages that one lists, count if they are of the domain
 * whose robots.txt started it.
 */
final class Sitemaps {
  /** Named by robots.txt, by an index, and by an index of indices, which the protocol has not. */
  private static final int DEEPEST = 3;

  /** Sitemaps cost no page, so something else has to end a site that has ever more of them. */
  private static final int MOST_PER_RUN = 1000;

  /** How many found URLs wait in memory to be written. */
  private static final int BATCH = 500;

  private final ClaimedDomain claimed;
  private final CrawlContext context;
  private final CrawlPlan plan;
  private final CrawlParts parts;

  Sitemaps(ClaimedDomain claimed, CrawlContext context) {
    this.claimed = claimed;
    this.context = context;
    plan = context.plan();
    parts = context.parts();
  }

  /**
   * What an answer leads to.
   *
   * @param left what is found and not written yet
   * @param tally what was read, where it was a sitemap
   */
  private record TakenIn(List<QueuedUrl> left, Optional<Tally> tally) {}

  /** Whether one more is asked for in this run. */
  boolean wantsMore(Job job) {
    return areWanted() && job.sitemapsAsked() < MOST_PER_RUN;
  }

  private boolean areWanted() {
    return parts.sitemaps().isPresent() && plan.scope().maximumDepth() > 0;
  }

  /** Those that robots.txt names, on their way into the frontier. */
  List<QueuedUrl> named(List<CrawlUrl> urls) {
    return !urls.isEmpty() && areWanted()
        ? urls.stream().map(QueuedUrl::sitemap).toList()
        : List.of();
  }

  /** Takes in the answer to a request for one. */
  void land(Answer answer, Attempt attempt, Fate fate) {
    QueuedUrl entry = answer.task().entry();
    TakenIn taken = takeIn(entry, answer);
    Settlement settlement =
        new Settlement(
            entry,
            Optional.of(attempt),
            Optional.of(answer.fetched()),
            fate,
            claimed.state(),
            taken.left(),
            Optional.empty());
    claimed.settle(settlement);
    parts.listener().settled(claimed.domain(), settlement);
    taken.tally().ifPresent(tally -> parts.listener().listed(claimed.domain(), entry.url(), tally));
  }

  /**
   * Reads an answer. All but the last of what it lists is written on the way; a crash leaves the
   * sitemap unsettled, and what was written of it is known the next time.
   */
  private TakenIn takeIn(QueuedUrl entry, Answer answer) {
    return switch (answer.fetched().outcome()) {
      case Redirect redirect -> new TakenIn(hop(entry, redirect), Optional.empty());
      case Success success when parts.sitemaps().isPresent() ->
          read(parts.sitemaps().get(), entry, success);
      case FetchOutcome _ -> new TakenIn(List.of(), Optional.empty());
    };
  }

  private List<QueuedUrl> hop(QueuedUrl entry, Redirect redirect) {
    return redirect.target().stream()
        .filter(_ -> entry.hops() < FoundLinks.MOST_HOPS)
        .filter(claimed::owns)
        .map(entry::hop)
        .toList();
  }

  private TakenIn read(SitemapReader reader, QueuedUrl entry, Success success) {
    KnownAuthorities authorities = claimed.state().heard().doors();
    List<QueuedUrl> batch = new ArrayList<>();
    List<QueuedUrl> outside = new ArrayList<>();
    Tally tally =
        reader.read(
            success.body(),
            listed -> {
              if (batch.size() == BATCH) {
                claimed.record(Optional.empty(), Optional.empty(), List.copyOf(batch));
                batch.clear();
              }
              if (outside.size() == BATCH) {
                claimed.keepOutside(List.copyOf(outside));
                outside.clear();
              }
              wanted(entry, listed, authorities).ifPresent(batch::add);
              outside(entry, listed, authorities).ifPresent(outside::add);
            });
    claimed.keepOutside(List.copyOf(outside));
    return new TakenIn(List.copyOf(batch), Optional.of(tally));
  }

  private Optional<QueuedUrl> outside(
      QueuedUrl sitemap, Listed listed, KnownAuthorities authorities) {
    CrawlUrl url = authorities.now(listed.url());
    return listed instanceof Listed.Page
            && claimed.owns(url)
            && context.isOutside(sitemap.url(), url, 1)
        ? Optional.of(sitemap.listed(url))
        : Optional.empty();
  }

  /** Where an authority of the domain has moved, its URLs are as they are to be asked now. */
  private Optional<QueuedUrl> wanted(
      QueuedUrl sitemap, Listed listed, KnownAuthorities authorities) {
    CrawlUrl url = authorities.now(listed.url());
    if (!claimed.owns(url)) {
      return Optional.empty();
    }
    return switch (listed) {
      case Listed.Page _ when context.follows(sitemap.url(), url, 1) ->
          Optional.of(sitemap.listed(url));
      case Listed.Sitemap _ when sitemap.depth() < DEEPEST ->
          Optional.of(sitemap.furtherSitemap(url));
      // Images are not asked for yet.
      case Listed _ -> Optional.empty();
    };
  }
}
