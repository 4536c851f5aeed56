package dev.comity.store;

import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Kind;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import java.util.Optional;

/** What one write adds to a domain's counters. */
record Counts(
    int discovered,
    int overCap,
    boolean finished,
    boolean requested,
    Optional<Settlement> settled) {
  private int is(Class<? extends Fate> kind) {
    return kind.isInstance(settled.map(Settlement::fate).orElse(null)) ? 1 : 0;
  }

  private int pages() {
    return settled.isPresent() && settled.get().isPage() ? 1 : 0;
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
      discovered + overCap,
      overCap,
      discovered - (finished ? 1 : 0),
      now,
      requested ? 1 : 0,
      pages(),
      errors(),
      is(Fate.Done.class) + is(Fate.Moved.class),
      is(Fate.Failed.class),
      is(Fate.Denied.class),
      is(Fate.Suppressed.class),
      depth(),
      domain
    };
  }
}
