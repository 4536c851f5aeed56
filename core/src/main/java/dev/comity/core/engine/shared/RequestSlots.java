package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore for requests in flight, with a limit in total and a limit per address. Many domains
 * may share a server. A slot counts against both limits together, so no request holds one while
 * waiting for the other. A request that finds its address full does not block those queued behind
 * it.
 *
 * <p>No method blocks. A caller that gets no slot is queued, and woken when a slot is reserved for
 * it.
 */
public final class RequestSlots {
  /** Few servers mind so many at once, and with five a domain four domains fill it. */
  static final int PER_ADDRESS = 20;

  private final int perAddress;
  private int free;

  /** Slots taken or reserved, by address; an address without any has no entry. */
  private final Map<String, Integer> taken = new HashMap<>();

  private final LinkedHashSet<Pass> queue = new LinkedHashSet<>();

  RequestSlots(int slots, int perAddress) {
    this.free = slots;
    this.perAddress = perAddress;
  }

  /** A semaphore with one slot, for an owner instead of requests. */
  static RequestSlots single() {
    return new RequestSlots(1, 1);
  }

  /** A caller's place in the queue; it asks for one slot at a time. */
  public static final class Pass {
    private final Signal wake;

    /** The address it is queued for, or has a slot reserved at. */
    private @Nullable String address;

    private boolean granted;

    /**
     * @param wake raised when a slot is reserved
     */
    public Pass(Signal wake) {
      this.wake = wake;
    }
  }

  /** Takes a slot at this address, or queues for one; says whether it was taken. */
  public synchronized boolean take(Pass pass, String address) {
    if (pass.address != null && !pass.address.equals(address)) {
      withdraw(pass);
    }
    if (pass.granted) {
      pass.granted = false;
      pass.address = null;
      return true;
    }
    // A queued request lacks room at its address, or there is no free slot: none is overtaken.
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

  /** Leaves the queue and hands a reserved slot on. */
  public synchronized void withdraw(Pass pass) {
    queue.remove(pass);
    String address = pass.address;
    pass.address = null;
    if (pass.granted && address != null) {
      pass.granted = false;
      release(address);
    }
  }

  /** Gives back a slot taken at this address. */
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

  /** How many requests are queued. */
  public synchronized int queuing() {
    return queue.size();
  }

  /** How many addresses have an entry. */
  synchronized int addresses() {
    return taken.size();
  }
}
