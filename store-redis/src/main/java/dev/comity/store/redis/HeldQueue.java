package dev.comity.store.redis;

import dev.comity.core.port.store.Claim;
import dev.comity.core.url.CrawlUrl;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of a claimed domain, and what of it the store has as its next URLs. The lock is held by
 * one write under the claim at a time.
 */
final class HeldQueue {
  final ReentrantLock lock = new ReentrantLock();
  final Claim claim;
  DomainQueue queue;

  /** URLs that were moved to the store and are not taken there yet, as far as is known. */
  private final Set<CrawlUrl> moved = new HashSet<>();

  private int untaken;
  private int deepest;

  HeldQueue(Claim claim, DomainQueue queue) {
    this.claim = claim;
    this.queue = queue;
  }

  /** How many URLs of the queue wait in the store. */
  int untaken() {
    return untaken;
  }

  /** The depth up to which links belong into the store: some there are deeper. */
  int depthAhead() {
    return untaken == 0 ? 0 : deepest;
  }

  /** These URLs were moved to the store; so many of them were not known there. */
  void moved(Set<CrawlUrl> urls, int entered, int depth) {
    if (untaken == 0) {
      moved.clear();
      deepest = 0;
    }
    moved.addAll(urls);
    untaken += entered;
    deepest = Math.max(deepest, depth);
  }

  /** A URL was taken from the store. */
  void taken(CrawlUrl url) {
    if (moved.remove(url)) {
      untaken--;
    }
  }

  /** The store has no URL that is due: what was moved is gone. */
  void drained() {
    moved.clear();
    untaken = 0;
  }
}
