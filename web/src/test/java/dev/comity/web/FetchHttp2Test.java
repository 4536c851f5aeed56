package dev.comity.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.testkit.wire.Frames;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;

/** What servers do wrong in HTTP/2, frame by frame. */
class FetchHttp2Test {
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();

  private static final HandshakeCertificates KEYS =
      new HandshakeCertificates.Builder()
          .heldCertificate(CERTIFICATE)
          .addTrustedCertificate(CERTIFICATE.certificate())
          .build();

  private static final byte[] OK = Frames.block(":status", "200", "content-type", "text/html");

  private static final Script GOOD =
      wire -> {
        int stream = Frames.request(wire);
        wire.send(Frames.headers(stream, OK));
        wire.send(Frames.lastData(stream, "hello"));
        wire.hold();
      };

  private static OkHttpClient.Builder trusting(OkHttpClient.Builder client) {
    return client.sslSocketFactory(KEYS.sslSocketFactory(), KEYS.trustManager());
  }

  private static ScriptedServer playing(Script... scripts) {
    return ScriptedServer.playingSecurely(KEYS.sslContext(), "h2", scripts);
  }

  @Test
  void a_page_comes_and_its_start_is_told_once() throws Exception {
    AtomicInteger started = new AtomicInteger();
    try (var server = playing(GOOD);
        var fetcher = Loopback.patient(FetchHttp2Test::trusting)) {
      Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, started::incrementAndGet);
      assertThat(text(fetched.outcome())).isEqualTo("hello");
      assertThat(started).hasValue(1);
    }
  }

  @Test
  void a_body_that_stalls_ends_with_the_idle_time() throws Exception {
    Script stalling =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.headers(stream, OK));
          wire.send(Frames.data(stream, "hel"));
          wire.hold();
        };
    try (var server = playing(stalling);
        var fetcher = Loopback.withShortIdle(FetchHttp2Test::trusting)) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("nothing moved for 200 ms while reading the body"));
    }
  }

  @Test
  void a_trickling_body_ends_with_the_total_time() throws Exception {
    Script trickling =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.headers(stream, OK));
          wire.trickle(Frames.data(stream, "x"), Duration.ofMillis(20));
        };
    try (var server = playing(trickling);
        var fetcher = Loopback.withShortTotal(FetchHttp2Test::trusting)) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new TimedOut("longer than 500 ms while reading the body"));
    }
  }

  @Test
  void an_endless_body_is_given_up_at_the_limit() throws Exception {
    Script endless =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.headers(stream, OK));
          while (true) {
            wire.send(Frames.data(stream, "x".repeat(8000)));
          }
        };
    try (var server = playing(endless, GOOD);
        var fetcher = Loopback.patient(FetchHttp2Test::trusting)) {
      assertThat(fetcher.page(server.url("/"))).isEqualTo(new TooLarge(200, 100_000));
    }
  }

  @Test
  void headers_beyond_measure_are_a_failed_connection_and_the_next_fetch_gets_another()
      throws Exception {
    Script flooding =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.unfinishedHeaders(stream, OK));
          byte[] more = Frames.block("x-more", "y".repeat(8000));
          while (true) {
            wire.send(Frames.continuation(stream, more));
          }
        };
    try (var server = playing(flooding, GOOD);
        var fetcher = Loopback.patient(FetchHttp2Test::trusting)) {
      assertThat(fetcher.page(server.url("/1")))
          .isEqualTo(new ConnectionFailed("the headers are too long while waiting for the answer"));
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
    }
  }

  @Test
  void a_block_of_headers_without_end_and_without_bytes_ends_too() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    Script empty =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.unfinishedHeaders(stream, OK));
          byte[] nothing = many(Frames.continuation(stream, new byte[0]));
          try {
            while (true) {
              wire.send(nothing);
            }
          } finally {
            left.countDown();
          }
        };
    assertEnds(empty, left);
  }

  @Test
  void interim_answers_without_end_end_too() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    Script storm =
        wire -> {
          int stream = Frames.request(wire);
          byte[] hint = many(Frames.headers(stream, Frames.block(":status", "103")));
          try {
            while (true) {
              wire.send(hint);
            }
          } finally {
            left.countDown();
          }
        };
    assertEnds(storm, left);
  }

  @Test
  void headers_that_go_on_after_the_answer_end_too() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    Script talking =
        wire -> {
          int stream = Frames.request(wire);
          wire.send(Frames.headers(stream, OK));
          byte[] again = many(Frames.headers(stream, OK));
          try {
            while (true) {
              wire.send(again);
            }
          } finally {
            left.countDown();
          }
        };
    assertEnds(talking, left);
  }

  private static byte[] many(byte[] frame) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      frames.writeBytes(frame);
    }
    return frames.toByteArray();
  }

  /** The fetch ends, and so does the connection: nobody listens to it any longer. */
  private static void assertEnds(Script script, CountDownLatch left) throws Exception {
    try (var server = playing(script, GOOD);
        var fetcher = Loopback.patient(FetchHttp2Test::trusting)) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(ConnectionFailed.class);
      left.await();
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
    }
  }

  private static String text(FetchOutcome outcome) {
    assertThat(outcome).isInstanceOf(Success.class);
    return new String(((Success) outcome).body().bytes(), StandardCharsets.UTF_8);
  }
}
