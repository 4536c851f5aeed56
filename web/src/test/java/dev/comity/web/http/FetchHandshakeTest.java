package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.tls.TestCertificate;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.Wire;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Tls;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said before the first request, and between two. */
class FetchHandshakeTest {
  private static final String PAGE = Replies.html("hello");
  private static final String LAST_PAGE =
      Replies.status("200 OK", "Content-Type: text/html", "Connection: close");
  private static final TestCertificate CERTIFICATE =
      TestCertificate.of("127.0.0.1", "site.example").made();
  private static final Tls TRUST = Tls.trusting(CERTIFICATE.trusted());
  private static final HexFormat HEX = HexFormat.of();

  /** What a server learns of a handshake. */
  private record Heard(String version, String names, String protocol, long sessionMade) {
    static Heard on(Wire wire) {
      SSLSocket socket = wire.tls().orElseThrow();
      ExtendedSSLSession session = (ExtendedSSLSession) socket.getSession();
      return new Heard(
          session.getProtocol(),
          session.getRequestedServerNames().toString(),
          socket.getApplicationProtocol(),
          session.getCreationTime());
    }
  }

  private static Script noting(List<Heard> heard, boolean closing) {
    return wire -> {
      while (wire.request().isPresent()) {
        heard.add(Heard.on(wire));
        wire.send(closing ? LAST_PAGE : PAGE);
      }
    };
  }

  /** A server that speaks this version of TLS only. */
  private static ScriptedServer speaking(String version, Script... scripts) {
    Script[] limited = new Script[scripts.length];
    for (int at = 0; at < scripts.length; at++) {
      Script script = scripts[at];
      limited[at] =
          wire -> {
            SSLSocket socket = wire.tls().orElseThrow();
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {version});
            socket.setSSLParameters(parameters);
            script.play(wire);
          };
    }
    return ScriptedServer.playingSecurely(CERTIFICATE.server(), "http/1.1", limited);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void the_host_is_named_and_http_1_offered_in_either_version(String version) throws Exception {
    List<Heard> heard = new CopyOnWriteArrayList<>();
    try (ScriptedServer server = speaking(version, noting(heard, false));
        HttpFetcher fetcher = fetcher(server)) {
      for (int times = 0; times < 3; times++) {
        assertThat(fetch(fetcher, server)).isInstanceOf(Success.class);
      }
      assertThat(server.connections()).isEqualTo(1);
      assertThat(heard.getFirst().version()).isEqualTo(version);
      assertThat(heard.getFirst().names()).contains("site.example");
      assertThat(heard.getFirst().protocol()).isEqualTo("http/1.1");
    }
  }

  @Test
  void an_address_is_not_named() throws Exception {
    List<Heard> heard = new CopyOnWriteArrayList<>();
    try (ScriptedServer server = speaking("TLSv1.3", noting(heard, false));
        Loopback fetcher = Loopback.patient(TRUST)) {
      assertThat(fetcher.page(server.url("/"))).isInstanceOf(Success.class);
      assertThat(heard.getFirst().names()).isEqualTo("[]");
    }
  }

  /** The versions a client speaks stand in its first message, in an extension of number 43. */
  @Test
  void nothing_older_than_tls_1_2_is_offered() throws Exception {
    CompletableFuture<String> hello = new CompletableFuture<>();
    try (ScriptedServer server =
            ScriptedServer.playing(
                wire -> {
                  byte[] head = wire.read(5);
                  hello.complete(HEX.formatHex(wire.read((head[3] << 8) | (head[4] & 0xff))));
                });
        Loopback fetcher = Loopback.patient(TRUST)) {
      fetcher.page(CrawlUrl.of("https://127.0.0.1:" + server.port() + "/"));
      assertThat(hello.get()).contains("002b" + "0005" + "04" + "0304" + "0303");
    }
  }

  /** A server that hangs up after each answer is not asked for its certificate each time. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_second_connection_resumes_the_session_of_the_first(String version) throws Exception {
    List<Heard> heard = new CopyOnWriteArrayList<>();
    try (ScriptedServer server = speaking(version, noting(heard, true));
        HttpFetcher fetcher = fetcher(server)) {
      for (int times = 0; times < 3; times++) {
        assertThat(fetch(fetcher, server)).isInstanceOf(Success.class);
      }
      assertThat(server.connections()).isEqualTo(3);
      assertThat(heard.stream().map(Heard::sessionMade).distinct()).hasSize(1);
    }
  }

  @Test
  void a_handshake_that_trickles_gets_no_longer_than_one_that_stalls() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    Script trickling =
        wire -> {
          try {
            wire.read(1);
            // A record of handshake that has 16,384 bytes.
            wire.send(HEX.parseHex("1603034000" + "0200" + "3ffc"));
            wire.trickle("\0", Duration.ofMillis(5));
          } finally {
            left.countDown();
          }
        };
    try (ScriptedServer server = ScriptedServer.playing(trickling);
        Loopback fetcher = Loopback.withShortFirstByte(TRUST)) {
      CrawlUrl secure = CrawlUrl.of("https://127.0.0.1:" + server.port() + "/");
      assertThat(fetcher.page(secure))
          .isEqualTo(new TimedOut("longer than 0.2 s while in the TLS handshake"));
      left.await();
    }
  }

  /**
   * A message of TLS to itself, as a ticket is one, lies unread when the connection is used again.
   * To the JDK's server another handshake means just that.
   */
  @Test
  void a_message_of_tls_to_itself_does_not_spoil_an_idle_connection() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    Script script =
        wire -> {
          wire.request();
          wire.send(PAGE);
          read.await();
          wire.tls().orElseThrow().startHandshake();
          sent.countDown();
          while (wire.request().isPresent()) {
            wire.send(PAGE);
          }
        };
    try (ScriptedServer server = speaking("TLSv1.3", script);
        Loopback fetcher = Loopback.patient(TRUST)) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(Success.class);
      read.countDown();
      sent.await();
      assertThat(fetcher.page(server.url("/2"))).isInstanceOf(Success.class);
      assertThat(fetcher.page(server.url("/3"))).isInstanceOf(Success.class);
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests()).hasSize(3);
    }
  }

  /** Frames of settings and of farewell, as servers send them that speak nothing else. */
  @ParameterizedTest
  @EnumSource(Line.class)
  void an_answer_in_http_2_is_named_as_such(Line line) throws Exception {
    String settings = "000012" + "04" + "00" + "00000000" + "000300000080000400010000000500ffffff";
    String farewell = "000008" + "07" + "00" + "00000000" + "0000000000000001";
    AtomicInteger started = new AtomicInteger();
    Script both = sending(settings + farewell);
    Script slowly =
        wire -> {
          wire.request();
          wire.send(HEX.parseHex("0000"));
          wire.send(HEX.parseHex(settings.substring(4)));
        };
    try (ScriptedServer server = line.playing(both, sending(farewell), slowly);
        Loopback fetcher = Loopback.patient(Line.trust())) {
      for (int times = 0; times < 3; times++) {
        assertThat(fetcher.fetch(server.url("/"), Want.PAGE, started::incrementAndGet).outcome())
            .isEqualTo(
                new ConnectionFailed("the server speaks HTTP/2 only while waiting for the answer"));
      }
      assertThat(started).hasValue(3);
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource(Line.class)
  void zeros_are_no_http_2(Line line) throws Exception {
    try (ScriptedServer server =
            line.playing(sending("00"), sending("00".repeat(20)), sending("000012040000000001"));
        Loopback fetcher = Loopback.patient(Line.trust())) {
      for (int times = 0; times < 3; times++) {
        assertThat(fetcher.page(server.url("/")))
            .isEqualTo(
                new ConnectionFailed("the connection was closed while waiting for the answer"));
      }
    }
  }

  private static Script sending(String hex) {
    return wire -> {
      wire.request();
      wire.send(HEX.parseHex(hex));
    };
  }

  private static FetchOutcome fetch(HttpFetcher fetcher, ScriptedServer server)
      throws InterruptedException {
    return fetcher.fetch(url(server), Want.PAGE, Loopback.PATIENT, () -> true).outcome();
  }

  private static CrawlUrl url(ScriptedServer server) {
    return CrawlUrl.of("https://site.example:" + server.port() + "/");
  }

  private static HttpFetcher fetcher(ScriptedServer server) {
    AddressGuard guard = new AddressGuard(_ -> List.of(InetAddress.ofLiteral("127.0.0.1")), false);
    guard.named(url(server).authority());
    return new HttpFetcher(
        FetchSettings.DEFAULT,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        InstantSource.fixed(Loopback.NOW),
        Tls.trusting(CERTIFICATE.trusted()));
  }
}
