package dev.comity.store.crawl;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import java.util.Optional;

/**
 * What one write adds to a domain's counters.
 *
 * @param newPage whether a URL is a page for the first time: asked again, it is the same one
 */
record Counts(
    FrontierWriter.Added added,
    boolean finished,
    boolean requested,
    boolean newPage,
    Optional<Settlement> settled) {
  private int is(Class<? extends Fate> kind) {
    return kind.isInstance(settled.map(Settlement::lasting).orElse(null)) ? 1 : 0;
  }

  private int pageRequests() {
    return requested && settled.isPresent() && settled.get().isPageRequest() ? 1 : 0;
  }

  /** How many links deep a page was found; how deep a sitemap is says nothing of that. */
  private int depth() {
    return settled
        .map(Settlement::entry)
        .filter(entry -> entry.kind() == Kind.PAGE)
        .map(QueuedUrl::depth)
        .orElse(0);
  }

  /** An error is counted where the log has one. */
  private int errors() {
    return requested && settled.isPresent() && settled.get().isError() ? 1 : 0;
  }

  /** One for each question mark that {@link DomainColumns} has for them, and for the domain. */
  Object[] values(long domain, long now) {
    return new Object[] {
      added.own() + added.ownOverCap() + added.ownSkipped(),
      added.ownOverCap(),
      added.own() - (finished ? 1 : 0),
      now,
      requested ? 1 : 0,
      pageRequests(),
      newPage ? 1 : 0,
      errors(),
      is(Fate.Done.class) + is(Fate.Moved.class),
      is(Fate.Failed.class),
      is(Fate.Denied.class),
      is(Fate.Suppressed.class),
      is(Fate.Skipped.class) + added.ownSkipped(),
      depth(),
      domain
    };
  }
}
