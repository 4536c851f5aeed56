package dev.comity.testkit.engine.support;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.RunEnding;
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
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A store behind a line that loses answers: now and then a call is carried out, its answer is lost,
 * and it is made again.
 */
final class UnansweredStore extends ForwardingStore {
  private static final int ONCE_IN = 25;

  private final SplittableRandom random;

  UnansweredStore(CrawlStore inner, long seed) {
    super(inner);
    random = new SplittableRandom(seed);
  }

  private <T> T twice(Supplier<T> call) {
    T answer = call.get();
    return random.nextInt(ONCE_IN) == 0 ? call.get() : answer;
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    return twice(() -> inner.claim(most, now, wanted));
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    return twice(() -> inner.borrow(domain, now));
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    return twice(() -> inner.renew(claims, now));
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    return twice(() -> inner.settle(claim, settlements));
  }

  @Override
  public Written record(Claim claim, Note note) {
    return twice(() -> inner.record(claim, note));
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    twice(
        () -> {
          inner.release(claim, state, ending, now);
          return true;
        });
  }

  @Override
  public Portion draw(long pages) {
    return twice(() -> inner.draw(pages));
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return twice(() -> inner.end(ending, now));
  }
}
