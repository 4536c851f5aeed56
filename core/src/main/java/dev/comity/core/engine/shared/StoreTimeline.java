package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of the store, kept by this machine's clock. Workers write times into the state of
 * domains that others read, so all must mean the same. The difference of the two clocks is measured
 * once, when the crawl begins: a change would shorten or stretch every wait that goes on.
 */
public final class StoreTimeline implements Timeline {
  private final Timeline local;
  private final Duration ahead;

  public StoreTimeline(Timeline local, InstantSource store) {
    this.local = local;
    Instant before = local.instant();
    Instant theirs = store.instant();
    Instant after = local.instant();
    boolean same = !theirs.isBefore(before) && !theirs.isAfter(after);
    ahead =
        same
            ? Duration.ZERO
            : Duration.between(before.plus(Duration.between(before, after).dividedBy(2)), theirs);
  }

  @Override
  public Instant instant() {
    return ahead.isZero() ? local.instant() : local.instant().plus(ahead);
  }

  @Override
  public Instant wall() {
    return local.wall();
  }

  @Override
  public void await(Signal signal, Instant until) throws InterruptedException {
    local.await(signal, ahead.isZero() || until.equals(Instant.MAX) ? until : until.minus(ahead));
  }

  @Override
  public Thread start(String name, Runnable task) {
    return local.start(name, task);
  }
}
