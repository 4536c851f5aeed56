package dev.comity.testkit.engine.support;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** One worker's handle on a store, with a judge who sees what the store carries out. */
final class JudgedStore extends ForwardingStore {
  private final FleetJudge judge;
  private final String worker;

  JudgedStore(CrawlStore inner, FleetJudge judge, String worker) {
    super(inner);
    this.judge = judge;
    this.worker = worker;
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    List<Claim> claims = inner.claim(most, now, wanted);
    claims.forEach(claim -> judge.granted(worker, claim));
    return claims;
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    Borrowing borrowing = inner.borrow(domain, now);
    if (borrowing instanceof Borrowing.Lent(var claim)) {
      judge.granted(worker, claim);
    }
    return borrowing;
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    Renewal renewal = inner.renew(claims, now);
    for (Claim claim : claims) {
      if (!renewal.lost().contains(claim.domain())) {
        judge.renewed(worker, claim);
      }
    }
    return renewal;
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    Written written = inner.settle(claim, settlements);
    settlements.forEach(settlement -> judge.settled(worker, claim, settlement));
    return written;
  }

  @Override
  public Written record(Claim claim, Note note) {
    Written written = inner.record(claim, note);
    judge.wrote(worker, claim);
    return written;
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    inner.release(claim, state, ending, now);
    judge.released(worker, claim, ending);
  }
}
