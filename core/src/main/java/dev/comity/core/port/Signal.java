package dev.comity.core.port;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A wake-up call to one waiting task: something happened, look again. Any thread may raise it; one
 * task waits for it, through a {@link Timeline}. Raised twice before the waiter looks, it wakes
 * once. Raised before the wait begins, it is not lost.
 */
public final class Signal {
  private final AtomicBoolean raised = new AtomicBoolean();
  private volatile @Nullable Thread waiter;

  /** Wakes the task that waits, or lets its next wait return at once. */
  public void raise() {
    // The thread that raised it first wakes the waiter.
    if (!raised.getAndSet(true)) {
      LockSupport.unpark(waiter);
    }
  }

  /** Whether it was raised and not yet taken. */
  public boolean isRaised() {
    return raised.get();
  }

  /** Takes it: answers whether it was raised since it was last taken. */
  public boolean take() {
    return raised.getAndSet(false);
  }

  /** Sets the thread to wake. For implementations of {@link Timeline}. */
  public void waitedForBy(Thread thread) {
    waiter = thread;
  }
}
