package dev.comity.keep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TreeThreadsTest {

  @Test
  void a_page_that_takes_too_long_is_given_up_and_the_next_is_made() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    try (TreeThreads threads = new TreeThreads(2, Duration.ofMillis(50))) {
      assertThat(
              threads.make(
                  () -> {
                    never.await();
                    return "late";
                  }))
          .isEmpty();
      assertThat(threads.make(() -> "next")).contains("next");
      never.countDown();
    }
  }

  @Test
  void a_page_that_breaks_the_parser_is_given_up_and_the_next_is_made()
      throws InterruptedException {
    try (TreeThreads threads = new TreeThreads(1, Duration.ofSeconds(20))) {
      assertThat(
              threads.make(
                  () -> {
                    throw new StackOverflowError();
                  }))
          .isEmpty();
      assertThat(threads.make(() -> "next")).contains("next");
    }
  }
}
