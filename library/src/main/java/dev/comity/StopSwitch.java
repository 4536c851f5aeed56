package dev.comity;

import dev.comity.core.engine.Crawl;
import org.jspecify.annotations.Nullable;

/** Stops a crawl, also one that has not begun yet. Thread-safe. */
final class StopSwitch {
  private @Nullable Crawl crawl;
  private boolean stopped;

  synchronized void begins(Crawl begun) {
    crawl = begun;
    if (stopped) {
      begun.stop();
    }
  }

  synchronized void stop() {
    stopped = true;
    if (crawl != null) {
      crawl.stop();
    }
  }
}
