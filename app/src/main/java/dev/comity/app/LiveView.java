package dev.comity.app;

import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;

/**
 * Keeps the live line true while a crawl runs: what was done, and why nothing happens when nothing
 * does.
 */
final class LiveLine implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(100);

  private final Screen screen;
  private final Tally tally;
  private final Timeline time;
  private final Thread painter;

  LiveLine(Screen screen, Tally tally, Timeline time) {
    this.screen = screen;
    this.tally = tally;
    this.time = time;
    painter = Thread.ofVirtual().name("live line").unstarted(this::paint);
    if (screen.isLive()) {
      painter.start();
    }
  }

  private void paint() {
    try {
      while (true) {
        screen.status(text(time.instant()));
        Thread.sleep(PACE);
      }
    } catch (InterruptedException _) {
      screen.clear();
    }
  }

  String text(Instant now) {
    String done =
        Tally.count(tally.pages(), "page")
            + ", "
            + tally.failures()
            + " failed, "
            + Tally.count(tally.requests(), "request");
    return tally
        .currentWait()
        .filter(wait -> wait.until().isAfter(now))
        .map(
            wait ->
                done
                    + "; "
                    + wait.domain()
                    + " in "
                    + Durations.spoken(Duration.between(now, wait.until()))
                    + ": "
                    + wait.why())
        .orElse(done);
  }

  @Override
  public void close() {
    painter.interrupt();
    try {
      painter.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    screen.clear();
  }
}
