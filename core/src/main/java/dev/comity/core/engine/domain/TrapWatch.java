package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Answer;
import dev.comity.core.policy.Change;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapReason;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the book of a domain's traps while its worker is at it: reads it when the work begins, asks
 * it about URLs, tells it what pages brought, and writes what is left when the work ends.
 */
final class TrapWatch {
  private final ClaimedDomain claimed;
  private final TrapSettings settings;
  private Traps traps;
  private int caught;

  TrapWatch(ClaimedDomain claimed, TrapSettings settings) {
    this.claimed = claimed;
    this.settings = settings;
    traps = new Traps(settings, List.of());
  }

  /** Who only borrows a domain sees none of its pages, and needs to know nothing of them. */
  void begun(CrawlStore store) {
    if (!claimed.isBorrowed()) {
      traps = new Traps(settings, store.templates(claimed.domain()));
    }
  }

  /** Whether this is a page that is not to be asked for. */
  boolean isCaught(QueuedUrl entry) {
    return !entry.isSeed() && entry.kind().isRead() && traps.trap(entry.url()).isPresent();
  }

  /** Whether a link of the domain's own leads into a trap; if so it is counted there. */
  boolean catches(CrawlUrl link, Instant at) {
    Optional<TrapReason> trap = traps.trap(link);
    if (trap.isPresent()) {
      traps.leftOut(link, trap.get(), at);
      caught++;
    }
    return trap.isPresent();
  }

  /**
   * Weighs what a page brought; answers the template that is given up for it, if one is. Only what
   * was never asked before tells whether there is still something new.
   */
  Optional<Change> weigh(QueuedUrl entry, Answer answer) {
    if (entry.asked() > 0 || answer.content().isEmpty()) {
      return Optional.empty();
    }
    PageContent page = answer.content().get();
    List<CrawlUrl> images = answer.images().stream().map(ImageRef::url).toList();
    return traps
        .landed(entry.url(), entry.referrer(), page::text, answer.links(), images, answer.at())
        .map(TrapWatch::givenUp);
  }

  private static Change givenUp(TemplateStats stats) {
    return new Change.TemplateSuppressed(
        stats.template(), stats.suppressed().orElseThrow().reason().words());
  }

  /** How many links led into a trap since this was asked last. */
  int takeCaught() {
    int taken = caught;
    caught = 0;
    return taken;
  }

  /** What is to be written with the page that was weighed last. */
  List<TemplateStats> takeDue() {
    return traps.takeDue();
  }

  /** Writes what the last pages said of their templates. */
  void writeRest() {
    List<TemplateStats> changed = traps.takeChanged();
    if (!changed.isEmpty()) {
      claimed.record(changed);
    }
  }
}
