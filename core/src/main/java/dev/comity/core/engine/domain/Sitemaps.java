package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.KnownAuthorities;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.fetch.SitemapReader.Listed;
import dev.comity.core.port.fetch.SitemapReader.Tally;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.RefreshRule;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the sitemaps of a domain. A site may only name its own URLs. A sitemap or a page counts if
 * its domain is that of the robots.txt that named the first sitemap.
 */
final class Sitemaps {
  /** Named by robots.txt, by an index, and by an index of indices, which the protocol has not. */
  private static final int DEEPEST = 3;

  /** Sitemaps cost no page, so something else has to end a site that has ever more of them. */
  private static final int MOST_PER_RUN = 1000;

  /** How many found URLs are buffered in memory before they are written. */
  private static final int BATCH = 500;

  /** A date that is further ahead was made up. */
  private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

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
   * What was read from an answer.
   *
   * @param left URLs that are found and not written yet
   * @param tally counts of what was read, if it was a sitemap
   */
  record TakenIn(List<QueuedUrl> left, Optional<Tally> tally) {}

  /** Whether one more is fetched in this run. */
  boolean wantsMore() {
    return areWanted() && claimed.job().sitemapsAsked() < MOST_PER_RUN;
  }

  private boolean areWanted() {
    return parts.sitemaps().isPresent() && plan.scope().maximumDepth() > 0;
  }

  /** Entries of the frontier for sitemaps that robots.txt names. */
  List<QueuedUrl> named(List<CrawlUrl> urls) {
    return !urls.isEmpty() && areWanted()
        ? urls.stream().map(QueuedUrl::sitemap).toList()
        : List.of();
  }

  /**
   * Entries of the frontier for feeds that a page names. Only start pages and home pages count:
   * many sites name a feed of comments on each page.
   */
  List<QueuedUrl> feeds(QueuedUrl page, Completed answer) {
    boolean counts =
        page.kind() == Kind.PAGE && (page.depth() == 0 || page.url().target().equals("/"));
    return counts && areWanted()
        ? answer.content().stream()
            .flatMap(content -> content.reading().feeds().stream())
            .filter(claimed::owns)
            .map(page::feed)
            .toList()
        : List.of();
  }

  /**
   * Reads an answer. All but the last batch of its URLs is written on the way. After a crash the
   * sitemap is read again, and the URLs written before are known then.
   */
  TakenIn takeIn(Completed answer) {
    QueuedUrl entry = answer.task().entry();
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
    List<PageHint> hints = new ArrayList<>();
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
              if (hints.size() == BATCH) {
                claimed.hint(List.copyOf(hints));
                hints.clear();
              }
              Optional<QueuedUrl> wanted = wanted(entry, listed, authorities);
              wanted.ifPresent(batch::add);
              wanted.flatMap(page -> hint(page, listed)).ifPresent(hints::add);
              outside(entry, listed, authorities).ifPresent(outside::add);
            });
    claimed.keepOutside(List.copyOf(outside));
    claimed.hint(List.copyOf(hints));
    return new TakenIn(List.copyOf(batch), Optional.of(tally));
  }

  /** Pages are visited within the longest interval, so older dates tell nothing. */
  private Optional<PageHint> hint(QueuedUrl page, Listed listed) {
    Instant now = parts.time().instant();
    return listed instanceof Listed.SitemapPage(_, var modified)
        ? modified
            .filter(at -> at.isAfter(now.minus(RefreshRule.DEFAULTS.longest())))
            .filter(at -> at.isBefore(now.plus(CLOCKS_DIFFER)))
            .map(at -> new PageHint(page.url(), at))
        : Optional.empty();
  }

  private Optional<QueuedUrl> outside(
      QueuedUrl sitemap, Listed listed, KnownAuthorities authorities) {
    CrawlUrl url = authorities.now(listed.url());
    return listed instanceof Listed.SitemapPage
            && claimed.owns(url)
            && context.isOutside(sitemap.url(), url, 1)
        ? Optional.of(sitemap.listed(url))
        : Optional.empty();
  }

  /** The entry of a listed URL; if its authority has moved, at the new authority. */
  private Optional<QueuedUrl> wanted(
      QueuedUrl sitemap, Listed listed, KnownAuthorities authorities) {
    CrawlUrl url = context.plan().scope().dropped().without(authorities.now(listed.url()));
    if (!claimed.owns(url)) {
      return Optional.empty();
    }
    return switch (listed) {
      case Listed.SitemapPage _ when context.follows(sitemap.url(), url, 1) ->
          Optional.of(sitemap.listed(url));
      case Listed.Sitemap _ when sitemap.depth() < DEEPEST ->
          Optional.of(sitemap.furtherSitemap(url));
      // Images are not fetched yet.
      case Listed _ -> Optional.empty();
    };
  }
}
