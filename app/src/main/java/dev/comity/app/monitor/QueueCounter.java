package dev.comity.app.monitor;

import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Reports;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreUnusable;
import dev.comity.store.report.StoreReader;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts the queue beside the crawl. It has a thread of its own, because reading a database blocks
 * its thread, and rests most of the time, because many domains take long to count.
 */
public final class QueueCounter implements AutoCloseable {
  private static final Duration PACE = Duration.ofSeconds(1);

  /** Counting takes a twentieth of the time at most. */
  private static final int REST = 19;

  private final Supplier<Census> count;
  private final Runnable close;
  private final Ticker ticker;
  private volatile Optional<Census> last = Optional.empty();

  private QueueCounter(Supplier<Census> count, Runnable close) {
    this.count = count;
    this.close = close;
    ticker = new Ticker(Thread.ofPlatform().daemon().name("census"), this::work);
  }

  public static QueueCounter of(Reports reports, long run) {
    return new QueueCounter(() -> reports.census(run), () -> {});
  }

  public static QueueCounter of(StoreLocation place, long run) {
    StoreReader reader = StoreReader.open(place);
    return new QueueCounter(() -> reader.census(run), reader::close);
  }

  /** As it was last counted. */
  Optional<Census> last() {
    return last;
  }

  private Duration work() {
    long began = System.nanoTime();
    countOnce();
    Duration rest = Duration.ofNanos((System.nanoTime() - began) * REST);
    return rest.compareTo(PACE) > 0 ? rest : PACE;
  }

  /** Ignores a store that cannot be read: the crawl itself reports that. */
  private void countOnce() {
    try {
      last = Optional.of(count.get());
    } catch (StoreUnusable _) {
      last = Optional.empty();
    }
  }

  @Override
  public void close() {
    ticker.close();
    close.run();
  }
}
