package dev.comity.testkit.engine.support;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a worker that goes ahead of the others by so much, or behind them. Its wall clock
 * can be set.
 */
public final class SkewedTimeline implements Timeline {
  private final Timeline inner;
  private final Duration ahead;
  private Duration wallAhead = Duration.ZERO;

  public SkewedTimeline(Timeline inner, Duration ahead) {
    this.inner = inner;
    this.ahead = ahead;
  }

  @Override
  public Instant instant() {
    return inner.instant().plus(ahead);
  }

  /** Sets the wall clock forward by so much, or the machine was suspended for so long. */
  public void setWallForward(Duration duration) {
    wallAhead = wallAhead.plus(duration);
  }

  @Override
  public Instant wall() {
    return inner.wall().plus(ahead).plus(wallAhead);
  }

  @Override
  public void await(Signal signal, Instant until) throws InterruptedException {
    inner.await(signal, until.equals(Instant.MAX) ? until : until.minus(ahead));
  }

  @Override
  public Thread start(String name, Runnable task) {
    return inner.start(name, task);
  }
}
