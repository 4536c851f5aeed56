package dev.comity.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FetchTlsTest {
  private static final HeldCertificate GOOD =
      new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();

  private final MockWebServer server = new MockWebServer();
  private final AtomicInteger started = new AtomicInteger();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void pages_come_over_tls_on_one_connection(Protocol protocol) throws Exception {
    startWith(GOOD);
    server.setProtocols(
        protocol == Protocol.HTTP_2
            ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
            : List.of(Protocol.HTTP_1_1));
    try (HttpFetcher fetcher = fetcher(trusting(GOOD), Duration.ofSeconds(60))) {
      for (int i = 0; i < 3; i++) {
        server.enqueue(new MockResponse.Builder().body("hello").build());
        Fetched fetched =
            fetcher.fetch(url(), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0);
        Success success = (Success) fetched.outcome();
        assertThat(new String(success.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(fetched.firstByte()).isPresent();
        assertThat(fetched.bytes()).isEqualTo(5);
        RecordedRequest request = server.takeRequest();
        assertThat(request.getConnectionIndex()).isZero();
        assertThat(request.getVersion()).isEqualTo("HTTP/1.1");
      }
      assertThat(started).hasValue(3);
      assertThat(server.getRequestCount()).isEqualTo(3);
    }
  }

  @Test
  void refusals_mean_the_same_over_tls_and_are_asked_for_once() throws Exception {
    startWith(GOOD);
    server.enqueue(new MockResponse.Builder().code(503).addHeader("Retry-After", "0").build());
    server.enqueue(new MockResponse.Builder().code(500).build());
    try (HttpFetcher fetcher = fetcher(trusting(GOOD), Duration.ofSeconds(60))) {
      assertThat(
              fetcher
                  .fetch(url(), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
                  .outcome())
          .isEqualTo(new RateLimited(503, Optional.of(Duration.ZERO)));
      assertThat(
              fetcher
                  .fetch(url(), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
                  .outcome())
          .isEqualTo(new ServerError(500));
      assertThat(server.getRequestCount()).isEqualTo(2);
      assertThat(started).hasValue(2);
    }
  }

  @Test
  void silence_over_http_2_ends_with_the_wait_for_the_first_byte() throws Exception {
    startWith(GOOD);
    server.enqueue(new MockResponse.Builder().headersDelay(1, TimeUnit.HOURS).body("late").build());
    try (HttpFetcher fetcher = fetcher(trusting(GOOD), Duration.ofSeconds(2))) {
      assertThat(
              fetcher
                  .fetch(url(), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
                  .outcome())
          .isEqualTo(new TimedOut("longer than 2 s while waiting for the answer"));
      assertThat(started).hasValue(1);
    }
  }

  @Test
  void a_certificate_nobody_vouches_for_is_refused() throws Exception {
    startWith(GOOD);
    assertRefused(UnaryOperator.identity(), "the certificate is not from a trusted issuer");
  }

  @Test
  void a_certificate_for_another_host_is_refused() throws Exception {
    HeldCertificate other =
        new HeldCertificate.Builder().addSubjectAlternativeName("other.example").build();
    startWith(other);
    assertRefused(trusting(other), "the certificate is for another host");
  }

  @Test
  void an_expired_certificate_is_refused() throws Exception {
    HeldCertificate authority = new HeldCertificate.Builder().certificateAuthority(0).build();
    HeldCertificate expired =
        new HeldCertificate.Builder()
            .signedBy(authority)
            .addSubjectAlternativeName("127.0.0.1")
            .validityInterval(0, 1)
            .build();
    startWith(expired);
    assertRefused(trusting(authority), "the certificate has expired");
  }

  @Test
  void who_chooses_to_look_away_gets_the_page_whoever_sends_it() throws Exception {
    HeldCertificate expiredAndForAnother =
        new HeldCertificate.Builder()
            .addSubjectAlternativeName("other.example")
            .validityInterval(0, 1)
            .build();
    startWith(expiredAndForAnother);
    server.enqueue(new MockResponse.Builder().body("hello").build());
    try (HttpFetcher fetcher = fetcher(Certificates.UNVERIFIED::applyTo, Duration.ofSeconds(60))) {
      assertThat(fetcher.fetch(url(), Want.PAGE, Loopback.PATIENT, () -> true).outcome())
          .isInstanceOf(Success.class);
    }
  }

  private void assertRefused(UnaryOperator<OkHttpClient.Builder> trust, String reason)
      throws InterruptedException {
    try (HttpFetcher fetcher = fetcher(trust, Duration.ofSeconds(60))) {
      assertThat(
              fetcher
                  .fetch(url(), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
                  .outcome())
          .isEqualTo(new TlsFailed(reason));
      assertThat(started).hasValue(0);
      assertThat(server.getRequestCount()).isZero();
    }
  }

  private void startWith(HeldCertificate certificate) throws IOException {
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    server.start(InetAddress.ofLiteral("127.0.0.1"), 0);
  }

  private CrawlUrl url() {
    return CrawlUrl.of("https://127.0.0.1:" + server.getPort() + "/");
  }

  private static UnaryOperator<OkHttpClient.Builder> trusting(HeldCertificate certificate) {
    HandshakeCertificates trusted =
        new HandshakeCertificates.Builder()
            .addTrustedCertificate(certificate.certificate())
            .build();
    return client -> client.sslSocketFactory(trusted.sslSocketFactory(), trusted.trustManager());
  }

  private HttpFetcher fetcher(UnaryOperator<OkHttpClient.Builder> trust, Duration firstByte) {
    AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
    guard.named(url().authority());
    return new HttpFetcher(
        FetchSettings.DEFAULT.withFirstByte(firstByte),
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        InstantSource.fixed(Loopback.NOW),
        trust);
  }
}
