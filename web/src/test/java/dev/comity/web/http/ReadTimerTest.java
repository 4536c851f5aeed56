package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadTimerTest {
  private static final int ROUNDS = 2_000_000;

  /** On a machine that has other things to do, the two meet less often. */
  private static final int ENOUGH = 10;

  private final ReadTimer timer = new ReadTimer();

  @Test
  void one_that_was_never_started_does_not_run_out() {
    assertThat(timer.runsOut(Long.MAX_VALUE)).isFalse();
    assertThat(timer.runsOut(Long.MIN_VALUE)).isFalse();
    assertThat(timer.stop()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1_000, -1, 0, 1, 2, 1_000, Long.MAX_VALUE - 1, Long.MIN_VALUE})
  void it_runs_out_at_its_end_and_not_before(long end) {
    timer.start(end);
    assertThat(timer.runsOut(end - 1)).isFalse();
    assertThat(timer.runsOut(end + 1)).isTrue();
    assertThat(timer.stop()).isTrue();
  }

  @Test
  void that_it_ran_out_is_said_once() {
    timer.start(5);
    assertThat(timer.runsOut(100)).isTrue();
    assertThat(timer.runsOut(100)).isFalse();
    assertThat(timer.stop()).isTrue();
    assertThat(timer.stop()).isFalse();
  }

  @Test
  void one_that_was_stopped_does_not_run_out_and_can_be_started_again() {
    timer.start(5);
    assertThat(timer.stop()).isFalse();
    assertThat(timer.runsOut(100)).isFalse();
    timer.start(200);
    assertThat(timer.runsOut(100)).isFalse();
    assertThat(timer.runsOut(300)).isTrue();
  }

  @Test
  void both_sides_agree_on_how_often_it_ran_out() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    int[] seen = new int[1];
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  while (!done.get()) {
                    seen[0] += timer.runsOut(100) ? 1 : 0;
                  }
                });
    begun.await();
    int reported = 0;
    for (int i = 0; i < ROUNDS || reported < ENOUGH; i++) {
      timer.start(50);
      reported += timer.stop() ? 1 : 0;
    }
    done.set(true);
    other.join();
    assertThat(seen[0]).isEqualTo(reported);
  }
}
