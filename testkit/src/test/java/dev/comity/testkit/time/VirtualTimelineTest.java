package dev.comity.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VirtualTimelineTest {
  private static final Instant LATER = VirtualTimeline.START.plus(Duration.ofDays(365));

  @Test
  void a_year_passes_at_once() {
    VirtualTimeline time = new VirtualTimeline(1);
    Instant end =
        time.run(
            () -> {
              time.await(new Signal(), LATER);
              return time.instant();
            });
    assertThat(end).isEqualTo(LATER);
  }

  @Test
  void a_raised_signal_ends_a_wait_without_time_passing() {
    VirtualTimeline time = new VirtualTimeline(1);
    Instant end =
        time.run(
            () -> {
              Signal signal = new Signal();
              time.start("raiser", signal::raise);
              time.await(signal, LATER);
              return time.instant();
            });
    assertThat(end).isEqualTo(VirtualTimeline.START);
  }

  @Test
  void an_interrupt_ends_a_wait() {
    VirtualTimeline time = new VirtualTimeline(1);
    List<String> seen = new ArrayList<>();
    time.run(
        () -> {
          Signal ended = new Signal();
          Thread sleeper =
              time.start(
                  "sleeper",
                  () -> {
                    try {
                      time.await(new Signal());
                    } catch (InterruptedException _) {
                      seen.add("interrupted");
                      ended.raise();
                    }
                  });
          time.await(new Signal(), VirtualTimeline.START.plusSeconds(1));
          sleeper.interrupt();
          time.await(ended);
          time.await(new Signal(), VirtualTimeline.START.plusSeconds(2));
          return 0;
        });
    assertThat(seen).containsExactly("interrupted");
  }

  @Test
  void the_seed_decides_the_order_and_only_the_seed() {
    assertThat(history(7)).isEqualTo(history(7));
    Set<List<String>> histories =
        LongStream.range(0, 50).mapToObj(VirtualTimelineTest::history).collect(Collectors.toSet());
    assertThat(histories).hasSize(6);
  }

  @Test
  void a_history_in_which_nothing_can_happen_any_more_fails() {
    VirtualTimeline time = new VirtualTimeline(1);
    assertThatThrownBy(
            () ->
                time.run(
                    () -> {
                      time.await(new Signal());
                      return 0;
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("nothing can happen any more")
        .hasMessageContaining("main");
  }

  @Test
  void a_history_that_goes_round_in_circles_fails() {
    VirtualTimeline time = new VirtualTimeline(1);
    assertThatThrownBy(
            () ->
                time.run(
                    () -> {
                      while (true) {
                        time.await(new Signal(), time.instant());
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("this never ends");
  }

  @Test
  void a_task_left_running_fails() {
    VirtualTimeline time = new VirtualTimeline(1);
    assertThatThrownBy(
            () ->
                time.run(
                    () -> {
                      time.start("forgotten", () -> {});
                      return 0;
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("forgotten");
  }

  private static List<String> history(long seed) {
    VirtualTimeline time = new VirtualTimeline(seed);
    List<String> order = new ArrayList<>();
    time.run(
        () -> {
          for (String name : List.of("a", "b", "c")) {
            time.start(name, () -> order.add(name));
          }
          time.await(new Signal(), VirtualTimeline.START.plusSeconds(1));
          return 0;
        });
    return order;
  }
}
