package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.policy.Change;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.store.DomainLookups;
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
 * The trap detection of one domain under its claim. It reads the statistics of templates when the
 * work begins and updates them with every page. It writes the rest when the work ends.
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

  /** Reads the statistics; a borrowed domain fetches no pages and needs none. */
  void begun(DomainLookups store) {
    if (!claimed.isBorrowed()) {
      traps = new Traps(settings, store.templates(claimed.domain()));
    }
  }

  /** Whether this URL is in a trap and not to be fetched. */
  boolean isCaught(QueuedUrl entry) {
    return !entry.isSeed() && entry.kind().isRead() && traps.trap(entry.url()).isPresent();
  }

  /** Whether a link within the domain leads into a trap; if so it is counted there. */
  boolean catches(CrawlUrl link, Instant at) {
    Optional<TrapReason> trap = traps.trap(link);
    if (trap.isPresent()) {
      traps.leftOut(link, trap.get(), at);
      caught++;
    }
    return trap.isPresent();
  }

  /**
   * Weighs what is new on a page; answers the template that is suppressed because of it. Only the
   * first fetch of a URL tells whether its template still brings something new.
   */
  Optional<Change> weigh(QueuedUrl entry, Completed answer) {
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

  /** How many links led into a trap since the last call. */
  int takeCaught() {
    int taken = caught;
    caught = 0;
    return taken;
  }

  /** Statistics to write with the page that was weighed last. */
  List<TemplateStats> takeDue() {
    return traps.takeDue();
  }

  /** Writes the statistics that were not written with a page. */
  void writeRest() {
    List<TemplateStats> changed = traps.takeChanged();
    if (!changed.isEmpty()) {
      claimed.record(changed);
    }
  }
}
