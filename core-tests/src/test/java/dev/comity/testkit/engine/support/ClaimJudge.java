package dev.comity.testkit.engine.support;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Watches who holds which domain, and that nobody else writes about it or asks it. */
final class ClaimJudge {
  private final List<String> broken;
  private final Map<DomainName, Long> newest = new HashMap<>();

  /** Until when the holder may ask, of every domain that was claimed and not given back. */
  private final Map<DomainName, Instant> held = new HashMap<>();

  /** When it was taken over, of every domain that was not asked since. */
  private final Map<DomainName, Instant> takenOver = new HashMap<>();

  private final Set<DomainName> orphaned = new HashSet<>();

  ClaimJudge(List<String> broken) {
    this.broken = broken;
  }

  private void check(boolean holds, String rule, Object about) {
    if (!holds) {
      broken.add(rule + ": " + about);
    }
  }

  void granted(Claim claim, Instant now) {
    DomainName domain = claim.domain();
    check(claim.token() > newest.getOrDefault(domain, 0L), "a token that did not grow", claim);
    newest.put(domain, claim.token());
    Instant before = held.put(domain, claim.until());
    check(claim.takenOver() == (before != null), "taken over or not", claim);
    check(
        before == null || orphaned.remove(domain) || !now.isBefore(before),
        "claimed while it was held",
        claim);
    if (before != null) {
      takenOver.put(domain, now);
    }
  }

  void renewed(Collection<Claim> claims, Renewal renewal) {
    for (Claim claim : claims) {
      if (!renewal.lost().contains(claim.domain())) {
        check(isNewest(claim), "renewed under an old claim", claim);
        held.put(claim.domain(), renewal.until());
      }
    }
  }

  /** The store took something from whoever came with this claim. */
  void wrote(Door door, Claim claim) {
    check(isNewest(claim) && held.containsKey(claim.domain()), door + " under an old claim", claim);
    if (door == Door.RELEASE) {
      gaveBack(claim);
    }
  }

  void gaveBack(Claim claim) {
    held.remove(claim.domain());
  }

  /** The first byte is written. */
  void starts(CrawlUrl url, Duration delay, Instant now) {
    DomainName domain = url.domain();
    Instant until = held.getOrDefault(domain, Instant.MAX);
    check(now.isBefore(until), "asked though the lease was over at " + until, now + " " + url);
    Instant since = takenOver.remove(domain);
    check(
        since == null || !now.isBefore(since.plus(delay)),
        "too soon after a takeover",
        now + " " + url);
  }

  /** The process is gone; answers what it held. */
  Set<DomainName> died() {
    orphaned.addAll(held.keySet());
    return Set.copyOf(orphaned);
  }

  private boolean isNewest(Claim claim) {
    return newest.getOrDefault(claim.domain(), 0L) == claim.token();
  }
}
