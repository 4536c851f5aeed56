package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Places for requests: so many in all, and of these so many at one address, for many domains may
 * share a server. A place counts for both at once, so nobody waits for the one while holding the
 * other; and whose address is full stands aside for those behind it.
 *
 * <p>Asking never blocks: who is not served at once is woken when a place was set aside for it.
 */
public final class RequestSlots {
  /** Few servers mind so many at once, and with five a domain four domains fill it. */
  static final int PER_ADDRESS = 20;

  private final int perAddress;
  private int free;

  /** What is taken or set aside; an address without any has no entry. */
  private final Map<String, Integer> taken = new HashMap<>();

  private final LinkedHashSet<Pass> queue = new LinkedHashSet<>();

  RequestSlots(int places, int perAddress) {
    this.free = places;
    this.perAddress = perAddress;
  }

  /** One asker's place in the queue; at most one berth at a time is asked for through it. */
  public static final class Pass {
    private final Signal wake;

    /** Queued for, or set aside at. */
    private @Nullable String address;

    private boolean granted;

    public Pass(Signal wake) {
      this.wake = wake;
    }
  }

  /** Takes a place at this address, or queues for one. */
  public synchronized boolean take(Pass pass, String address) {
    if (pass.address != null && !pass.address.equals(address)) {
      withdraw(pass);
    }
    if (pass.granted) {
      pass.granted = false;
      pass.address = null;
      return true;
    }
    // Whoever queues lacks room at its own address or any room at all: nobody is overtaken.
    if (free > 0 && hasRoom(address)) {
      queue.remove(pass);
      pass.address = null;
      occupy(address);
      return true;
    }
    pass.address = address;
    queue.add(pass);
    return false;
  }

  /** Leaves the queue, handing on what was set aside. */
  public synchronized void withdraw(Pass pass) {
    queue.remove(pass);
    String address = pass.address;
    pass.address = null;
    if (pass.granted && address != null) {
      pass.granted = false;
      release(address);
    }
  }

  /** Gives a place taken at this address back. */
  public synchronized void release(String address) {
    free++;
    taken.computeIfPresent(address, (_, count) -> count > 1 ? count - 1 : null);
    for (Iterator<Pass> waiting = queue.iterator(); waiting.hasNext(); ) {
      Pass next = waiting.next();
      if (next.address != null && hasRoom(next.address)) {
        waiting.remove();
        occupy(next.address);
        next.granted = true;
        next.wake.raise();
        return;
      }
    }
  }

  private boolean hasRoom(String address) {
    return taken.getOrDefault(address, 0) < perAddress;
  }

  private void occupy(String address) {
    free--;
    taken.merge(address, 1, Integer::sum);
  }

  public synchronized int free() {
    return free;
  }

  /** How many wait for a place. */
  public synchronized int queuing() {
    return queue.size();
  }

  /** How many addresses are remembered. */
  synchronized int addresses() {
    return taken.size();
  }
}
