package dev.comity.keep;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads that make trees of pages, as many as there are processors. Some pages take the parser
 * seconds. On virtual threads a few of them would hold up every request of the crawl.
 *
 * <p>A page that takes too long is given up; its thread ends later, because the page's size is
 * bounded, and no other page takes its place before.
 */
final class TreeThreads implements AutoCloseable {
  private final Duration longest;
  private final Semaphore free;
  private final ExecutorService threads;

  TreeThreads(int count, Duration longest) {
    this.longest = longest;
    free = new Semaphore(count);
    threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().name("page tree ", 1).daemon().factory());
  }

  /** Waits for what is made; empty if that fails or takes too long. */
  <T> Optional<T> make(Callable<T> work) throws InterruptedException {
    free.acquire();
    Future<T> made =
        threads.submit(
            () -> {
              try {
                return work.call();
              } finally {
                free.release();
              }
            });
    try {
      return Optional.of(made.get(longest.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
