package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that may have 64 file descriptors. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DescriptorsTest {
  private final AtomicLong left = new AtomicLong(64);
  private final List<Long> told = new ArrayList<>();
  private final AtomicLong closedIdle = new AtomicLong();
  private long idle;

  private final Descriptors descriptors =
      new Descriptors(
          64,
          left::get,
          () -> {
            closedIdle.addAndGet(idle);
            left.addAndGet(idle);
            idle = 0;
          });

  {
    descriptors.tell(told::add);
  }

  @Test
  void while_there_are_enough_nothing_waits_and_nothing_is_told() throws Exception {
    left.set(Descriptors.RESERVED + 3);
    connect();
    connect();
    connect();
    assertThat(told).isEmpty();
  }

  @Test
  void those_that_are_connecting_count_before_they_have_their_descriptor() throws Exception {
    left.set(Descriptors.RESERVED + 2);
    descriptors.enter();
    descriptors.enter();
    assertThat(told).isEmpty();
    idle = 1;
    descriptors.enter();
    assertThat(told).containsExactly(64L);
    assertThat(closedIdle).hasValue(1);
  }

  @Test
  void one_is_always_let_through() throws Exception {
    left.set(0);
    descriptors.enter();
    assertThat(told).containsExactly(64L);
  }

  @Test
  void another_waits_until_one_ends_and_it_is_told_once() throws Exception {
    left.set(Descriptors.RESERVED + 1);
    connect();
    CountDownLatch waits = new CountDownLatch(1);
    descriptors.tell(
        limit -> {
          told.add(limit);
          waits.countDown();
        });
    CompletableFuture<Void> second = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            descriptors.enter();
            second.complete(null);
          } catch (InterruptedException interrupted) {
            second.completeExceptionally(interrupted);
          }
        });
    assertThat(waits.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(second).isNotDone();
    left.incrementAndGet();
    descriptors.leave(true);
    second.get(1, TimeUnit.MINUTES);
    descriptors.leave(false);
    left.set(0);
    descriptors.enter();
    assertThat(told).containsExactly(64L);
  }

  @Test
  void a_process_that_may_have_many_does_not_count_them() throws Exception {
    Descriptors many =
        new Descriptors(
            1 << 20,
            () -> {
              throw new AssertionError("counted");
            },
            () -> {});
    many.enter();
    many.enter();
    many.leave(false);
    assertThat(told).isEmpty();
  }

  @Test
  void while_many_are_left_they_are_counted_seldom() throws Exception {
    AtomicLong counted = new AtomicLong();
    Descriptors some =
        new Descriptors(
            4096,
            () -> {
              counted.incrementAndGet();
              return 2000;
            },
            () -> {});
    for (int fetch = 0; fetch < 1000; fetch++) {
      some.enter();
      some.leave(false);
    }
    assertThat(counted).hasValue(2);
  }

  private void connect() throws InterruptedException {
    descriptors.enter();
    left.decrementAndGet();
    descriptors.connected();
  }
}
