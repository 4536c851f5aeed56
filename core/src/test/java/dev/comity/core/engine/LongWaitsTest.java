package dev.comity.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads; a wait that is forgotten shows as a test that does not end. */
@Timeout(60)
class LongWaitsTest {
  private final BlockingQueue<Thread> watching = new LinkedBlockingQueue<>();
  private final LongWaits waits =
      new LongWaits(
          task -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            watching.add(thread);
            return thread;
          });

  @Test
  void many_waits_end_and_so_does_the_watching_thread_and_later_waits_have_another()
      throws InterruptedException {
    AtomicInteger ended = new AtomicInteger();
    for (int round = 0; round < 2; round++) {
      List<Thread> waiting = new ArrayList<>();
      for (int wait = 0; wait < 200; wait++) {
        long end = System.nanoTime() + LongWaits.LONG.plusMillis(50).toNanos();
        waiting.add(
            Thread.startVirtualThread(
                () -> {
                  waits.park(this, end);
                  ended.incrementAndGet();
                }));
      }
      for (Thread thread : waiting) {
        thread.join();
      }
      watching.take().join();
    }
    assertThat(ended).hasValue(400);
    assertThat(watching).isEmpty();
  }

  @Test
  void a_thread_that_cannot_start_fails_its_wait_and_the_next_wait_tries_again() {
    AtomicInteger tries = new AtomicInteger();
    LongWaits without =
        new LongWaits(
            _ -> {
              tries.incrementAndGet();
              throw new OutOfMemoryError("no thread");
            });
    for (int wait = 0; wait < 2; wait++) {
      assertThatThrownBy(() -> without.park(this, System.nanoTime() + Long.MAX_VALUE / 2))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(tries).hasValue(2);
  }
}
