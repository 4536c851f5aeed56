package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.testkit.tls.TestCertificate;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.SeenRequest;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Certificates;
import dev.comity.web.net.Resolver;
import dev.comity.web.net.Tls;
import dev.comity.web.support.Loopback;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which servers are believed, and that they are asked as any other. */
class FetchTlsTest {
  private static final TestCertificate GOOD = TestCertificate.of("127.0.0.1").made();

  private final AtomicInteger started = new AtomicInteger();

  @Test
  void pages_come_over_tls_on_one_connection() throws Exception {
    try (ScriptedServer server = showing(GOOD, Script.alwaysReplying(Replies.html("hello")));
        HttpFetcher fetcher = fetcher(server, Tls.trusting(GOOD.trusted()))) {
      for (int i = 0; i < 3; i++) {
        Fetched fetched = fetch(fetcher, server);
        Success success = (Success) fetched.outcome();
        assertThat(new String(success.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(fetched.firstByte()).isPresent();
        assertThat(fetched.bytes()).isEqualTo(5);
        SeenRequest request = server.requests().getLast();
        assertThat(request.connection()).isZero();
        assertThat(request.line()).isEqualTo("GET / HTTP/1.1");
      }
      assertThat(started).hasValue(3);
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void refusals_mean_the_same_over_tls_and_are_asked_for_once() throws Exception {
    Script script =
        Script.replying(Replies.status("503 Later", "Retry-After: 0"), Replies.status("500 No"));
    try (ScriptedServer server = showing(GOOD, script);
        HttpFetcher fetcher = fetcher(server, Tls.trusting(GOOD.trusted()))) {
      assertThat(fetch(fetcher, server).outcome())
          .isEqualTo(new RateLimited(503, Optional.of(Duration.ZERO)));
      assertThat(fetch(fetcher, server).outcome()).isEqualTo(new ServerError(500));
      assertThat(server.requests()).hasSize(2);
      assertThat(started).hasValue(2);
    }
  }

  @Test
  void a_certificate_nobody_vouches_for_is_refused() throws Exception {
    assertRefused(GOOD, Tls.verified(), "the certificate is not from a trusted issuer");
  }

  @Test
  void a_certificate_for_another_host_is_refused() throws Exception {
    TestCertificate other = TestCertificate.of("other.example").made();
    assertRefused(other, Tls.trusting(other.trusted()), "the certificate is for another host");
  }

  @Test
  void an_expired_certificate_is_refused() throws Exception {
    TestCertificate issuer = TestCertificate.issuer();
    TestCertificate expired =
        TestCertificate.of("127.0.0.1")
            .signedBy(issuer)
            .valid(Instant.EPOCH, Instant.EPOCH.plusSeconds(1))
            .made();
    assertRefused(expired, Tls.trusting(issuer.trusted()), "the certificate has expired");
  }

  @Test
  void a_certificate_that_is_not_valid_yet_is_refused() throws Exception {
    TestCertificate issuer = TestCertificate.issuer();
    Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    TestCertificate early =
        TestCertificate.of("127.0.0.1")
            .signedBy(issuer)
            .valid(tomorrow, tomorrow.plus(Duration.ofDays(1)))
            .made();
    assertRefused(early, Tls.trusting(issuer.trusted()), "the certificate is not valid yet");
  }

  @Test
  void who_chooses_to_look_away_gets_the_page_whoever_sends_it() throws Exception {
    TestCertificate expiredAndForAnother =
        TestCertificate.of("other.example")
            .valid(Instant.EPOCH, Instant.EPOCH.plusSeconds(1))
            .made();
    try (ScriptedServer server =
            showing(expiredAndForAnother, Script.replying(Replies.html("hello")));
        HttpFetcher fetcher = fetcher(server, Certificates.UNVERIFIED.tls())) {
      assertThat(fetch(fetcher, server).outcome()).isInstanceOf(Success.class);
    }
  }

  @Test
  void a_server_that_agrees_to_nothing_but_http_2_is_named_as_such() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.playingSecurely(GOOD.server(), "h2", Script.silent());
        HttpFetcher fetcher = fetcher(server, Tls.trusting(GOOD.trusted()))) {
      assertThat(fetch(fetcher, server).outcome())
          .isEqualTo(new TlsFailed("the server speaks HTTP/2 only"));
      assertThat(started).hasValue(0);
    }
  }

  private void assertRefused(TestCertificate certificate, Tls tls, String reason)
      throws InterruptedException {
    try (ScriptedServer server = showing(certificate, Script.alwaysReplying(Replies.html("x")));
        HttpFetcher fetcher = fetcher(server, tls)) {
      FetchOutcome outcome = fetch(fetcher, server).outcome();
      assertThat(outcome).isEqualTo(new TlsFailed(reason));
      assertThat(started).hasValue(0);
      assertThat(server.requests()).isEmpty();
    }
  }

  private static ScriptedServer showing(TestCertificate certificate, Script script) {
    return ScriptedServer.playingSecurely(certificate.server(), "http/1.1", script);
  }

  private Fetched fetch(HttpFetcher fetcher, ScriptedServer server) throws InterruptedException {
    return fetcher.fetch(
        server.url("/"), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0);
  }

  private static HttpFetcher fetcher(ScriptedServer server, Tls tls) {
    AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
    guard.named(server.url("/").authority());
    return new HttpFetcher(
        FetchSettings.DEFAULT,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        InstantSource.fixed(Loopback.NOW),
        tls);
  }
}
