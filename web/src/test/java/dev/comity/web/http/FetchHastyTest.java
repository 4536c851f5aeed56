package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection at rest is looked at before it is used again. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchHastyTest {
  private static final String PAGE = Replies.html("hello");
  private static final String FORGED = Replies.html("forged");

  private final Line line;
  private final Loopback fetcher = Loopback.patient();

  FetchHastyTest(Line line) {
    this.line = line;
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  @Test
  void an_answer_that_comes_before_its_question_is_not_taken_for_it() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    Script hasty =
        wire -> {
          wire.request();
          wire.send(PAGE);
          read.await();
          wire.send(FORGED);
          sent.countDown();
          wire.hold();
        };
    try (var server = line.playing(hasty, Script.alwaysReplying(PAGE))) {
      assertThat(text(fetcher.page(server.url("/1")))).isEqualTo("hello");
      read.countDown();
      sent.await();
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  private static String text(FetchOutcome outcome) {
    assertThat(outcome).isInstanceOf(Success.class);
    return new String(((Success) outcome).body().bytes(), StandardCharsets.UTF_8);
  }
}
