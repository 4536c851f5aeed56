package dev.comity.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FetchConnectionsTest {
  private static final String PAGE = Replies.html("hello");

  @Test
  void a_request_that_is_called_back_writes_nothing_and_its_connection_serves_the_next()
      throws Exception {
    try (var server = ScriptedServer.playing(Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient()) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(Success.class);
      assertThat(fetcher.calledBack(server.url("/2"))).isEqualTo(new Cancelled());
      assertThat(fetcher.page(server.url("/3"))).isInstanceOf(Success.class);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void a_connection_is_used_again_with_one_request_per_fetch() throws Exception {
    try (var server = ScriptedServer.playing(Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient()) {
      for (int i = 0; i < 10; i++) {
        assertThat(fetcher.page(server.url("/" + i))).isInstanceOf(Success.class);
      }
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests()).hasSize(10);
    }
  }

  @Test
  void the_start_is_told_once_before_the_server_sees_the_request() throws Exception {
    AtomicInteger started = new AtomicInteger();
    AtomicInteger startedWhenSeen = new AtomicInteger();
    Script script =
        wire -> {
          wire.request();
          startedWhenSeen.set(started.get());
          wire.send(PAGE);
        };
    try (var server = ScriptedServer.playing(script);
        var fetcher = Loopback.patient()) {
      fetcher.fetch(server.url("/"), Want.PAGE, started::incrementAndGet);
      assertThat(startedWhenSeen).hasValue(1);
      assertThat(started).hasValue(1);
    }
  }

  @Test
  void no_start_is_told_when_no_connection_comes_about() throws Exception {
    AtomicInteger started = new AtomicInteger();
    CrawlUrl nobody = CrawlUrl.of("http://127.0.0.1:" + closedPort() + "/");
    try (var fetcher = Loopback.patient()) {
      Fetched fetched = fetcher.fetch(nobody, Want.PAGE, started::incrementAndGet);
      assertThat(fetched.outcome())
          .isEqualTo(new ConnectionFailed("the connection was refused while connecting"));
      assertThat(fetched.firstByte()).isEmpty();
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void a_reset_after_the_request_is_not_followed_by_a_second_one() throws Exception {
    Script resetting =
        wire -> {
          wire.request();
          wire.reset();
        };
    try (var server = ScriptedServer.playing(resetting);
        var fetcher = Loopback.patient()) {
      assertThat(fetcher.page(server.url("/"))).isInstanceOf(ConnectionFailed.class);
      assertThat(server.requests()).hasSize(1);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_reset_on_a_used_connection_is_not_followed_by_a_second_request() throws Exception {
    AtomicInteger started = new AtomicInteger();
    Script onceThenReset =
        wire -> {
          wire.request();
          wire.send(PAGE);
          wire.request();
          wire.reset();
        };
    try (var server = ScriptedServer.playing(onceThenReset, Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient()) {
      fetcher.page(server.url("/1"));
      Fetched second = fetcher.fetch(server.url("/2"), Want.PAGE, started::incrementAndGet);
      assertThat(second.outcome()).isInstanceOf(ConnectionFailed.class);
      assertThat(started).hasValue(1);
      assertThat(server.requests()).hasSize(2);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_the_server_closed_meanwhile_is_replaced_before_anything_is_sent()
      throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    AtomicInteger started = new AtomicInteger();
    Script onceThenClose =
        wire -> {
          wire.request();
          wire.send(PAGE);
          wire.close();
          closed.countDown();
        };
    try (var server = ScriptedServer.playing(onceThenClose, Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient()) {
      fetcher.page(server.url("/1"));
      closed.await();
      Fetched second = fetcher.fetch(server.url("/2"), Want.PAGE, started::incrementAndGet);
      assertThat(second.outcome()).isInstanceOf(Success.class);
      assertThat(started).hasValue(1);
      assertThat(server.requests()).hasSize(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void an_answer_that_was_there_before_the_question_is_not_taken_for_one() throws Exception {
    Script twoAnswersAtOnce =
        wire -> {
          wire.request();
          wire.send(PAGE + Replies.html("a page nobody asked for"));
          wire.request();
          wire.hold();
        };
    try (var server = ScriptedServer.playing(twoAnswersAtOnce);
        var fetcher = Loopback.patient()) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(Success.class);
      assertThat(fetcher.page(server.url("/2")))
          .isEqualTo(
              new ConnectionFailed(
                  "the answer was there before the question while reading the body"));
    }
  }

  @Test
  void silence_ends_with_the_wait_for_the_first_byte() throws Exception {
    try (var server = ScriptedServer.playing(Script.silent());
        var fetcher = Loopback.withShortFirstByte()) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 200 ms while waiting for the answer"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_body_that_stalls_ends_with_the_idle_time() throws Exception {
    Script stalling =
        wire -> {
          wire.request();
          wire.send(PAGE.substring(0, PAGE.length() - 1));
          wire.hold();
        };
    try (var server = ScriptedServer.playing(stalling);
        var fetcher = Loopback.withShortIdle()) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("nothing moved for 200 ms while reading the body"));
    }
  }

  @Test
  void a_trickling_body_ends_with_the_total_time() throws Exception {
    Script trickling =
        wire -> {
          wire.request();
          wire.send(Replies.head("200 OK", "Content-Type: text/html"));
          wire.trickle("x", Duration.ofMillis(20));
        };
    try (var server = ScriptedServer.playing(trickling);
        var fetcher = Loopback.withShortTotal()) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 500 ms while reading the body"));
    }
  }

  @Test
  void trickling_headers_end_with_the_total_time() throws Exception {
    Script trickling =
        wire -> {
          wire.request();
          wire.send("HTTP/1.1 200 OK\r\nX-Slow: ");
          wire.trickle("x", Duration.ofMillis(20));
        };
    try (var server = ScriptedServer.playing(trickling);
        var fetcher = Loopback.withShortTotal()) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 500 ms while waiting for the answer"));
    }
  }

  @Test
  void endless_interim_answers_end_too() throws Exception {
    Script storm =
        wire -> {
          wire.request();
          wire.flood("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
        };
    try (var server = ScriptedServer.playing(storm);
        var fetcher = Loopback.withShortTotal()) {
      assertThat(fetcher.page(server.url("/")))
          .isInstanceOfAny(ConnectionFailed.class, TimedOut.class);
    }
  }

  @Test
  void headers_beyond_measure_are_a_failed_connection() throws Exception {
    ConnectionFailed tooLong =
        new ConnectionFailed("the headers are too long while waiting for the answer");
    Script oneLongLine =
        wire -> {
          wire.request();
          wire.send("HTTP/1.1 200 OK\r\nX-Long: ");
          wire.flood("x");
        };
    Script manyLines =
        wire -> {
          wire.request();
          wire.send("HTTP/1.1 200 OK\r\n");
          wire.flood("X-Many: yes\r\n");
        };
    try (var server = ScriptedServer.playing(oneLongLine, manyLines);
        var fetcher = Loopback.patient()) {
      assertThat(fetcher.page(server.url("/1"))).isEqualTo(tooLong);
      assertThat(fetcher.page(server.url("/2"))).isEqualTo(tooLong);
    }
  }

  @Test
  void a_connection_closed_without_an_answer_is_a_failed_one() throws Exception {
    try (var server = ScriptedServer.playing(Wire::request);
        var fetcher = Loopback.patient()) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(
              new ConnectionFailed("the connection was closed while waiting for the answer"));
    }
  }

  @Test
  void what_is_not_tls_fails_as_tls_and_no_start_is_told() throws Exception {
    AtomicInteger started = new AtomicInteger();
    try (var server = ScriptedServer.playing(wire -> wire.send(PAGE));
        var fetcher = Loopback.patient()) {
      CrawlUrl secure = CrawlUrl.of("https://127.0.0.1:" + server.port() + "/");
      assertThat(fetcher.fetch(secure, Want.PAGE, started::incrementAndGet).outcome())
          .isEqualTo(new TlsFailed("the TLS handshake failed"));
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void a_handshake_that_stalls_ends_with_the_wait_for_the_first_byte() throws Exception {
    try (var server = ScriptedServer.playing(Wire::hold);
        var fetcher = Loopback.withShortFirstByte()) {
      CrawlUrl secure = CrawlUrl.of("https://127.0.0.1:" + server.port() + "/");
      assertThat(fetcher.page(secure))
          .isEqualTo(new TimedOut("longer than 200 ms while in the TLS handshake"));
    }
  }

  @Test
  void an_interrupted_fetch_lets_go_of_its_connection() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    Script silent =
        wire -> {
          wire.request();
          asked.countDown();
          try {
            wire.hold();
          } finally {
            left.countDown();
          }
        };
    try (var server = ScriptedServer.playing(silent);
        var fetcher = Loopback.patient()) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Thread fetching =
          Thread.startVirtualThread(
              () -> {
                try {
                  fetcher.page(server.url("/"));
                  interrupted.complete(false);
                } catch (InterruptedException stopped) {
                  interrupted.complete(true);
                }
              });
      asked.await();
      fetching.interrupt();
      assertThat(interrupted.get()).isTrue();
      left.await();
    }
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
