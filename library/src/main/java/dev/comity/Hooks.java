package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Calls the user's hooks, one call at a time, so that a hook may fill a plain list. Counts for the
 * summary.
 */
final class Hooks implements CrawlListener {
  private final Consumer<Page> page;
  private final Consumer<Link> link;
  private final Consumer<Outcome> outcome;
  private final AcceptedTypes accepted;
  private final Consumer<Settlement> images;
  private final ReentrantLock one = new ReentrantLock();
  private long pages;
  private long failed;
  private long denied;
  private long skipped;
  private long requests;

  Hooks(
      Consumer<Page> page,
      Consumer<Link> link,
      Consumer<Outcome> outcome,
      AcceptedTypes accepted,
      Consumer<Settlement> images) {
    this.page = page;
    this.link = link;
    this.outcome = outcome;
    this.accepted = accepted;
    this.images = images;
  }

  @Override
  public void started(DomainName domain, Attempt attempt) {
    one.lock();
    try {
      requests++;
    } finally {
      one.unlock();
    }
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    one.lock();
    try {
      outcome.accept(Outcome.of(settlement));
      if (settlement.entry().kind() == Kind.PAGE) {
        count(settlement);
        Page.of(settlement).ifPresent(page);
      }
      images.accept(settlement);
      if (settlement.entry().kind().isRead()) {
        settlement.found().forEach(found -> follow(settlement.entry(), found));
      }
    } finally {
      one.unlock();
    }
  }

  @Override
  public void skipped(DomainName foundOn, long urls) {
    one.lock();
    try {
      skipped += urls;
    } finally {
      one.unlock();
    }
  }

  private void count(Settlement settlement) {
    if (settlement.isPage()) {
      pages++;
    } else if (settlement.fate() instanceof Fate.Failed) {
      failed++;
    } else if (settlement.fate() instanceof Fate.Denied) {
      denied++;
    } else if (settlement.fate() instanceof Fate.Skipped) {
      skipped++;
    }
  }

  private void follow(QueuedUrl from, QueuedUrl to) {
    if (to.kind() == Kind.PAGE && !to.isSkipped(accepted)) {
      link.accept(new Link(from.url(), to.url(), to.depth()));
    }
  }

  Summary summary(Crawl.End end, long imagesTaken, Duration took) {
    one.lock();
    try {
      return new Summary(end, pages, imagesTaken, skipped, failed, denied, requests, took);
    } finally {
      one.unlock();
    }
  }
}
