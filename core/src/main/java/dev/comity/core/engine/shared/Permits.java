package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import java.util.LinkedHashSet;

/**
 * A fixed number of places, given out in the order they were asked for. Asking never blocks: who is
 * not served at once is woken when a place was set aside for it, and waits without holding
 * anything.
 */
public final class Permits {
  private int free;
  private final LinkedHashSet<Pass> queue = new LinkedHashSet<>();

  Permits(int places) {
    free = places;
  }

  /** One asker's place in the queue; at most one place at a time is asked for through it. */
  public static final class Pass {
    private final Signal wake;
    private boolean granted;

    public Pass(Signal wake) {
      this.wake = wake;
    }
  }

  /** Takes a place, or queues for one. */
  public synchronized boolean take(Pass pass) {
    if (pass.granted) {
      pass.granted = false;
      return true;
    }
    if (free > 0 && queue.isEmpty()) {
      free--;
      return true;
    }
    queue.add(pass);
    return false;
  }

  /** Leaves the queue, handing on what was set aside. */
  public synchronized void withdraw(Pass pass) {
    queue.remove(pass);
    if (pass.granted) {
      pass.granted = false;
      release();
    }
  }

  /** Gives a taken place back. */
  public synchronized void release() {
    var waiting = queue.iterator();
    if (!waiting.hasNext()) {
      free++;
      return;
    }
    Pass next = waiting.next();
    waiting.remove();
    next.granted = true;
    next.wake.raise();
  }

  synchronized int free() {
    return free;
  }
}
