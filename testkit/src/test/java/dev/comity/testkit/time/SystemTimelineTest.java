package dev.comity.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.port.Signal;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads; a wake-up that is lost shows as a test that does not end. */
@Timeout(60)
class SystemTimelineTest {
  private final SystemTimeline time = new SystemTimeline();

  @Test
  void no_wake_up_is_lost_between_two_tasks_that_wait_for_each_other() throws Exception {
    Signal there = new Signal();
    Signal back = new Signal();
    AtomicInteger served = new AtomicInteger();
    int rounds = 20_000;
    Thread other =
        time.start(
            "other",
            () -> {
              try {
                for (int round = 0; round < rounds; round++) {
                  time.await(there);
                  served.incrementAndGet();
                  back.raise();
                }
              } catch (InterruptedException _) {
                // The count tells.
              }
            });
    for (int round = 0; round < rounds; round++) {
      there.raise();
      time.await(back);
    }
    other.join();
    assertThat(served).hasValue(rounds);
  }

  @Test
  void no_interrupt_is_lost_whenever_it_comes() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    for (int round = 0; round < 2_000; round++) {
      Thread waiting =
          time.start(
              "waiting",
              () -> {
                try {
                  time.await(new Signal());
                } catch (InterruptedException _) {
                  interrupted.incrementAndGet();
                }
              });
      waiting.interrupt();
      waiting.join();
    }
    assertThat(interrupted).hasValue(2_000);
  }

  @Test
  void a_signal_raised_before_the_wait_ends_it_even_for_one_who_is_interrupted() throws Exception {
    Signal signal = new Signal();
    signal.raise();
    Thread.currentThread().interrupt();
    time.await(signal);
    assertThat(signal.isRaised()).isFalse();
    assertThatThrownBy(() -> time.await(signal)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void a_wait_is_not_over_before_its_time() throws Exception {
    Instant until = time.instant().plusMillis(20);
    time.await(new Signal(), until);
    assertThat(time.instant()).isAfterOrEqualTo(until);
  }

  @Test
  void a_long_wait_ends_at_its_time_and_not_before() throws Exception {
    Instant until = time.instant().plusMillis(260);
    time.await(new Signal(), until);
    assertThat(time.instant()).isAfterOrEqualTo(until);
  }

  @Test
  void a_signal_ends_a_long_wait() throws Exception {
    Signal there = new Signal();
    Signal back = new Signal();
    Instant far = time.instant().plusSeconds(1_000);
    int rounds = 20_000;
    Thread other =
        time.start(
            "other",
            () -> {
              try {
                for (int round = 0; round < rounds; round++) {
                  time.await(there, far);
                  back.raise();
                }
              } catch (InterruptedException _) {
                // The other side then waits in vain.
              }
            });
    for (int round = 0; round < rounds; round++) {
      there.raise();
      time.await(back, far);
    }
    other.join();
    assertThat(time.instant()).isBefore(far);
  }

  @Test
  void a_time_that_is_past_is_not_waited_for_however_far() throws Exception {
    time.await(new Signal(), time.instant());
    time.await(new Signal(), Instant.MIN);
    Signal raised = new Signal();
    raised.raise();
    time.await(raised, Instant.MAX.minusSeconds(1));
    assertThat(raised.isRaised()).isFalse();
  }
}
