package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunStore;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunBudgetTest {
  private static final int PORTION = 10;
  private final Pages store = new Pages();

  /** A run's pages, drawn ten at a time. */
  private static final class Pages implements RunStore {
    private final AtomicLong left = new AtomicLong(1_000);
    private final List<Long> draws = new ArrayList<>();
    private CountDownLatch disk = new CountDownLatch(0);

    @Override
    public Portion drawImages(long images) {
      throw new UnsupportedOperationException("no test draws images");
    }

    @Override
    public Portion draw(long pages) {
      try {
        disk.await();
      } catch (InterruptedException failed) {
        throw new AssertionError(failed);
      }
      synchronized (draws) {
        draws.add(pages);
      }
      long granted = pages < 0 ? pages : Math.min(PORTION, Math.min(pages, left.get()));
      left.addAndGet(-granted);
      return new Portion(granted, granted == 0);
    }

    @Override
    public Run begin(RunTerms terms, Instant now) {
      throw new AssertionError();
    }

    @Override
    public Outlook outlook(Instant now, Wanted wanted) {
      throw new AssertionError();
    }

    @Override
    public boolean end(RunEnding ending, Instant now) {
      throw new AssertionError();
    }
  }

  @Test
  @Timeout(20)
  void while_the_next_portion_is_drawn_the_rest_of_the_last_one_is_used() throws Exception {
    RunBudget budget = new RunBudget(store, 1_000, 0, 0);
    reserve(budget, 5);
    store.disk = new CountDownLatch(1);
    Thread drawing = Thread.ofVirtual().start(() -> assertThat(budget.reserve()).isTrue());
    while (drawing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    reserve(budget, 4);
    store.disk.countDown();
    drawing.join();
    assertThat(store.draws).hasSize(2);
    assertThat(store.left).hasValue(980);
  }

  @Test
  void a_portion_is_drawn_when_half_of_the_last_one_is_used() {
    RunBudget budget = new RunBudget(store, 1_000, 0, 0);
    reserve(budget, 5);
    assertThat(store.draws).hasSize(1);
    reserve(budget, 1);
    assertThat(store.draws).hasSize(2);
  }

  @Test
  void what_is_not_reserved_goes_back() {
    RunBudget budget = new RunBudget(store, 1_000, 0, 0);
    reserve(budget, 3);
    budget.giveBack();
    budget.returnUnused();
    assertThat(store.left).hasValue(998);
    budget.returnUnused();
    assertThat(store.draws).hasSize(2);
  }

  @Test
  void it_is_spent_when_the_store_has_nothing_left() {
    store.left.set(4);
    RunBudget budget = new RunBudget(store, 1_000, 0, 0);
    reserve(budget, 4);
    assertThat(budget.reserve()).isFalse();
    assertThat(budget.isSpent()).isTrue();
    store.left.set(1);
    assertThat(budget.isSpent()).isFalse();
  }

  @Test
  void the_plan_s_own_limit_holds_though_the_store_has_more() {
    RunBudget budget = new RunBudget(store, 7, 3, 0);
    reserve(budget, 4);
    assertThat(budget.reserve()).isFalse();
    assertThat(budget.hasRoom()).isFalse();
  }

  @Test
  @Timeout(60)
  void many_threads_reserve_every_page_once() {
    RunBudget budget = new RunBudget(store, 1_000, 0, 0);
    AtomicLong reserved = new AtomicLong();
    Phaser all = new Phaser(1);
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(
                _ -> {
                  all.register();
                  return Thread.ofVirtual()
                      .start(
                          () -> {
                            all.arriveAndAwaitAdvance();
                            while (budget.reserve()) {
                              reserved.incrementAndGet();
                            }
                          });
                })
            .toList();
    all.arriveAndDeregister();
    threads.forEach(RunBudgetTest::join);
    assertThat(reserved).hasValue(1_000);
    assertThat(store.left).hasValue(0);
  }

  private static void reserve(RunBudget budget, int pages) {
    for (int i = 0; i < pages; i++) {
      assertThat(budget.reserve()).isTrue();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }
}
