package dev.comity.testkit.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. A store may read it from threads of its own. */
public final class SettableClock implements InstantSource {
  private volatile Instant now;

  public SettableClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    return now;
  }

  public void set(Instant time) {
    now = time;
  }

  /** Lets so much time go by. */
  public void pass(Duration duration) {
    now = now.plus(duration);
  }
}
