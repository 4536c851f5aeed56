package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.scope.SkippedEndings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which images of an answer are fetched. An image is an entry of its own host's domain,
 * wherever the crawl's scope ends. Its robots.txt, pace and address are checked there.
 */
record FoundImages(UsageTerms usage) {
  /** As long as a URL of a page may be. */
  private static final int LONGEST_URL = 2048;

  /** The images that a page shows; none if the page asks that its images are left alone. */
  List<QueuedUrl> of(QueuedUrl page, Completed answer) {
    List<ImageSighting> sightings = answer.finds().sightings();
    if (sightings.isEmpty() || areRefused(answer)) {
      return List.of();
    }
    return sightings.stream()
        .map(ImageSighting::url)
        .filter(url -> url.toString().length() <= LONGEST_URL)
        .map(page::image)
        .toList();
  }

  /** The target of an image's redirect: an image of the target's domain. */
  List<QueuedUrl> redirected(QueuedUrl image, Completed answer) {
    return answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect
            && image.hops() < FoundLinks.MOST_HOPS
        ? redirect.target().map(image::hop).stream().toList()
        : List.of();
  }

  /**
   * An image that some page shows has its answer: it counts for the yield of that page's domain.
   */
  void settled(CrawlContext context, QueuedUrl image, boolean taken) {
    image
        .referrer()
        .map(context.plan()::domainOf)
        .ifPresent(source -> context.yields().imageSettled(source, taken));
  }

  /** Links to image files, which are no pages: they are entries of another kind. */
  Set<CrawlUrl> linked(Completed answer) {
    if (answer.finds().sightings().isEmpty() || areRefused(answer)) {
      return Set.of();
    }
    Set<CrawlUrl> linked = new HashSet<>();
    for (ImageSighting sighting : answer.finds().sightings()) {
      if (SkippedEndings.isOn(sighting.url(), AcceptedTypes.NONE)) {
        linked.add(sighting.url());
      }
    }
    return linked;
  }

  /** The wishes of a page and its header decide here whether its images are fetched. */
  private boolean areRefused(Completed answer) {
    Wishes wishes =
        answer.content().map(PageContent::reading).map(page -> page.wishes()).orElse(Wishes.NONE);
    return usage.refusal(Kind.IMAGE, wishes.forImages()).isPresent();
  }
}
