package dev.comity.core.memory;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.Claim;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Domains, claims and frontiers in memory, in the order they were first named. */
public final class MemoryStore implements CrawlStore, Frontier {
  private final Function<CrawlUrl, DomainName> naming;
  private final Map<DomainName, DomainRow> rows = new LinkedHashMap<>();

  public MemoryStore(Function<CrawlUrl, DomainName> naming) {
    this.naming = naming;
  }

  @Override
  public synchronized int add(List<QueuedUrl> urls) {
    int added = 0;
    for (QueuedUrl url : urls) {
      added += rows.computeIfAbsent(naming.apply(url.url()), DomainRow::new).add(url) ? 1 : 0;
    }
    return added;
  }

  @Override
  public synchronized List<Claim> claim(int most, Instant now) {
    List<Claim> claims = new ArrayList<>();
    for (DomainRow row : rows.values()) {
      if (claims.size() == most) {
        break;
      }
      if (row.isClaimable() && !row.notBefore(now).isAfter(now)) {
        claims.add(row.claim());
      }
    }
    return claims;
  }

  @Override
  public synchronized Optional<Instant> nextClaimable(Instant now) {
    return rows.values().stream()
        .filter(DomainRow::isClaimable)
        .map(row -> row.notBefore(now))
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo);
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public synchronized Next next(Claim claim, Instant now) {
    return held(claim).urls.next(now);
  }

  @Override
  public synchronized void settle(Claim claim, Settlement settlement) {
    DomainRow row = held(claim);
    switch (settlement.fate()) {
      case Fate.Retry(var due, var spends) ->
          row.urls.defer(
              settlement.attempt().isPresent()
                  ? settlement.entry().askedAgain(spends)
                  : settlement.entry(),
              due);
      case Fate.Returned _ -> row.urls.giveBack(settlement.entry());
      case Fate.Done _, Fate.Failed _, Fate.Denied _ -> row.urls.finish(settlement.entry());
    }
    row.state = settlement.state();
    add(settlement.found());
  }

  @Override
  public synchronized void record(Claim claim, DomainState state) {
    held(claim).state = state;
  }

  @Override
  public synchronized void release(Claim claim, DomainState state, Ending ending) {
    held(claim).release(state, ending);
  }

  @Override
  public synchronized Optional<DomainState> state(DomainName domain) {
    return Optional.ofNullable(rows.get(domain)).map(row -> row.state);
  }

  @Override
  public synchronized void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    DomainRow row = rows.get(domain);
    if (row != null) {
      row.takeBack(change);
    }
  }

  private DomainRow held(Claim claim) {
    DomainRow row = rows.get(claim.domain());
    if (row == null || !row.isHeldBy(claim.token())) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return row;
  }
}
