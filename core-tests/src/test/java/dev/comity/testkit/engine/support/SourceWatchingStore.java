package dev.comity.testkit.engine.support;

import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Frontier;
import java.time.Instant;

/** A store that tells the judge of sources which URL is of which source. */
public final class SourceWatchingStore extends ForwardingStore {
  private final SourceJudge judge;

  public SourceWatchingStore(CrawlStore inner, SourceJudge judge) {
    super(inner);
    this.judge = judge;
  }

  @Override
  public Frontier frontier() {
    Frontier frontier = inner.frontier();
    return new Frontier() {
      @Override
      public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
        Next next = frontier.next(claim, now, wanted, waits);
        if (next instanceof Next.Ready(var entry)) {
          judge.taken(entry);
        }
        return next;
      }

      @Override
      public boolean isEmpty(Claim claim, Wanted wanted) {
        return frontier.isEmpty(claim, wanted);
      }
    };
  }
}
