package dev.comity.store;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where URLs are asked that were in flight when a worker died: one at a time, so that at the next
 * death it is known which of them it was. Many are in flight when a process is killed from outside,
 * and all but one at most are innocent.
 */
final class Quarantine {
  private final AtomicReference<HeldDomain.@Nullable Waiting> inside = new AtomicReference<>();

  /** Whether this URL may be asked now. */
  boolean admits(HeldDomain.Waiting url) {
    return !url.suspect() || inside.compareAndSet(null, url);
  }

  /** It was answered, or will not be. */
  void leave(HeldDomain.Waiting url) {
    inside.compareAndSet(url, null);
  }
}
