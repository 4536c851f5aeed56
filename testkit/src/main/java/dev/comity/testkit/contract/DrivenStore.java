package dev.comity.testkit.contract;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** A store whose clock shows what its caller's shows: each call sets it. */
final class DrivenStore extends ForwardingStore {
  private final SettableClock clock;

  DrivenStore(CrawlStore inner, SettableClock clock) {
    super(inner);
    this.clock = clock;
  }

  SettableClock clock() {
    return clock;
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    clock.set(now);
    return inner.begin(terms, now);
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    clock.set(now);
    return inner.end(ending, now);
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    clock.set(now);
    return inner.add(urls, now);
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    clock.set(now);
    return inner.takeTurn(source, now);
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    clock.set(now);
    return inner.offer(url, now);
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    clock.set(now);
    return inner.claim(most, now, wanted);
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    clock.set(now);
    return inner.borrow(domain, now);
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    clock.set(now);
    return inner.outlook(now, wanted);
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    clock.set(now);
    return inner.renew(claims, now);
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    clock.set(now);
    inner.release(claim, state, ending, now);
  }
}
