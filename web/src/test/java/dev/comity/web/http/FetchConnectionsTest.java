package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Departure;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Misbehaviour;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.Wire;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchConnectionsTest {
  private static final String PAGE = Replies.html("hello");

  private final Line line;

  FetchConnectionsTest(Line line) {
    this.line = line;
  }

  @Test
  void a_request_that_is_called_back_writes_nothing_and_its_connection_serves_the_next()
      throws Exception {
    try (var server = line.playing(Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient(Line.trust())) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(Success.class);
      assertThat(fetcher.calledBack(server.url("/2"))).isEqualTo(new Cancelled());
      assertThat(fetcher.page(server.url("/3"))).isInstanceOf(Success.class);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void a_connection_is_used_again_with_one_request_per_fetch() throws Exception {
    try (var server = line.playing(Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient(Line.trust())) {
      for (int i = 0; i < 10; i++) {
        assertThat(fetcher.page(server.url("/" + i))).isInstanceOf(Success.class);
      }
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests()).hasSize(10);
    }
  }

  @Test
  void the_permission_is_asked_before_the_request_is_written_and_the_start_told_after()
      throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    CountDownLatch seen = new CountDownLatch(1);
    Script script =
        wire -> {
          wire.request();
          seen.countDown();
          wire.send(PAGE);
        };
    Departure departure =
        new Departure() {
          @Override
          public boolean start() {
            told.add(seen.getCount() == 1 ? "start, unseen" : "start, seen");
            return true;
          }

          @Override
          public void started() {
            try {
              // If it were told before the request is written, it would never be seen.
              told.add(seen.await(30, TimeUnit.SECONDS) ? "started, seen" : "started, unseen");
            } catch (InterruptedException _) {
              told.add("interrupted");
            }
          }
        };
    try (var server = line.playing(script);
        var fetcher = Loopback.patient(Line.trust())) {
      assertThat(fetcher.fetch(server.url("/"), departure).outcome()).isInstanceOf(Success.class);
      assertThat(told).containsExactly("start, unseen", "started, seen");
    }
  }

  @Test
  void no_start_is_told_when_no_connection_comes_about() throws Exception {
    AtomicInteger started = new AtomicInteger();
    CrawlUrl nobody = CrawlUrl.of(line.scheme() + "://127.0.0.1:" + closedPort() + "/");
    try (var fetcher = Loopback.patient(Line.trust())) {
      Fetched fetched = fetcher.fetch(nobody, Want.PAGE, started::incrementAndGet);
      assertThat(fetched.outcome())
          .isEqualTo(new ConnectionFailed("the connection was refused while connecting"));
      assertThat(fetched.firstByte()).isEmpty();
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void a_reset_is_a_failed_connection_wherever_it_comes_and_never_a_second_request()
      throws Exception {
    Map<Script, String> resets =
        Map.of(
            Misbehaviour.resetAfterRequest(), "while waiting for the answer",
            Misbehaviour.resetAfterHeaders(), "",
            Misbehaviour.resetInBody(), "while reading the body");
    for (Map.Entry<Script, String> reset : resets.entrySet()) {
      AtomicInteger started = new AtomicInteger();
      try (var server = line.playing(reset.getKey());
          var fetcher = Loopback.patient(Line.trust())) {
        Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, started::incrementAndGet);
        assertThat(fetched.outcome()).isInstanceOf(ConnectionFailed.class);
        assertThat(((ConnectionFailed) fetched.outcome()).detail()).endsWith(reset.getValue());
        assertThat(started.get()).isLessThanOrEqualTo(1);
        assertThat(server.requests()).hasSizeLessThanOrEqualTo(1);
        assertThat(server.connections()).isEqualTo(1);
      }
    }
  }

  @Test
  void a_reset_before_anything_is_said_is_a_failed_connection_or_handshake() throws Exception {
    try (var server = line.playing(Misbehaviour.resetAtOnce());
        var fetcher = Loopback.patient(Line.trust())) {
      // It may be reset before the handshake has begun.
      FetchOutcome outcome = fetcher.page(server.url("/"));
      if (line == Line.SECURE) {
        assertThat(outcome).isInstanceOfAny(TlsFailed.class, ConnectionFailed.class);
      } else {
        assertThat(outcome).isInstanceOf(ConnectionFailed.class);
      }
      assertThat(server.requests()).hasSizeLessThanOrEqualTo(1);
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
    try (var server = line.playing(onceThenReset, Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient(Line.trust())) {
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
    try (var server = line.playing(onceThenClose, Script.alwaysReplying(PAGE));
        var fetcher = Loopback.patient(Line.trust())) {
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
  void silence_ends_with_the_wait_for_the_first_byte() throws Exception {
    try (var server = line.playing(Script.silent());
        var fetcher = Loopback.withShortFirstByte(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 0.2 s while waiting for the answer"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_body_that_stalls_ends_with_the_idle_time() throws Exception {
    try (var server = line.playing(Misbehaviour.stallingBody());
        var fetcher = Loopback.withShortIdle(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("nothing moved for 0.2 s while reading the body"));
    }
  }

  @Test
  void a_trickling_body_ends_with_the_total_time() throws Exception {
    try (var server = line.playing(Misbehaviour.slowBody(Duration.ofMillis(20)));
        var fetcher = Loopback.withShortTotal(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 0.5 s while reading the body"));
    }
  }

  @Test
  void trickling_headers_end_with_the_total_time() throws Exception {
    try (var server = line.playing(Misbehaviour.slowHeaders(Duration.ofMillis(20)));
        var fetcher = Loopback.withShortTotal(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 0.5 s while waiting for the answer"));
    }
  }

  @Test
  void whatever_takes_too_long_was_asked_once_and_its_connection_is_let_go_of() throws Exception {
    Duration pause = Duration.ofMillis(20);
    for (Script slow :
        List.of(
            Script.silent(),
            Misbehaviour.slowHeaders(pause),
            Misbehaviour.slowBody(pause),
            Misbehaviour.stallingBody())) {
      AtomicInteger started = new AtomicInteger();
      CountDownLatch left = new CountDownLatch(1);
      Script watched =
          wire -> {
            try {
              slow.play(wire);
            } finally {
              left.countDown();
            }
          };
      try (var server = line.playing(watched);
          var fetcher = Loopback.withShortTotal(Line.trust())) {
        Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, started::incrementAndGet);
        assertThat(fetched.outcome()).isInstanceOf(TimedOut.class);
        left.await();
        assertThat(started).hasValue(1);
        assertThat(server.requests()).hasSize(1);
        assertThat(server.connections()).isEqualTo(1);
      }
    }
  }

  @Test
  void endless_interim_answers_end_too() throws Exception {
    try (var server = line.playing(Misbehaviour.interimStorm());
        var fetcher = Loopback.withShortTotal(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isInstanceOfAny(ConnectionFailed.class, TimedOut.class);
    }
  }

  @Test
  void headers_beyond_measure_are_a_failed_connection() throws Exception {
    ConnectionFailed tooLong =
        new ConnectionFailed("the headers are too long while waiting for the answer");
    try (var server = line.playing(Misbehaviour.endlessHeader(), Misbehaviour.endlessHeaders());
        var fetcher = Loopback.patient(Line.trust())) {
      assertThat(fetcher.page(server.url("/1"))).isEqualTo(tooLong);
      assertThat(fetcher.page(server.url("/2"))).isEqualTo(tooLong);
    }
  }

  @Test
  void a_connection_closed_without_an_answer_is_a_failed_one() throws Exception {
    try (var server = line.playing(Wire::request);
        var fetcher = Loopback.patient(Line.trust())) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(
              new ConnectionFailed("the connection was closed while waiting for the answer"));
    }
  }

  @Test
  void what_is_not_tls_fails_as_tls_and_no_start_is_told() throws Exception {
    AtomicInteger started = new AtomicInteger();
    try (var server = ScriptedServer.playing(wire -> wire.send(PAGE));
        var fetcher = Loopback.patient(Line.trust())) {
      CrawlUrl secure = CrawlUrl.of("https://127.0.0.1:" + server.port() + "/");
      assertThat(fetcher.fetch(secure, Want.PAGE, started::incrementAndGet).outcome())
          .isEqualTo(new TlsFailed("the TLS handshake failed"));
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void a_handshake_that_stalls_ends_with_the_wait_for_the_first_byte() throws Exception {
    try (var server = ScriptedServer.playing(Wire::hold);
        var fetcher = Loopback.withShortFirstByte(Line.trust())) {
      CrawlUrl secure = CrawlUrl.of("https://127.0.0.1:" + server.port() + "/");
      assertThat(fetcher.page(secure))
          .isEqualTo(new TimedOut("longer than 0.2 s while in the TLS handshake"));
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
    try (var server = line.playing(silent);
        var fetcher = Loopback.patient(Line.trust())) {
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
