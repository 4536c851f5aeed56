package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.testkit.tls.OcspResponse;
import dev.comity.testkit.tls.TestCertificate;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.net.Tls;
import dev.comity.web.support.Loopback;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that staple to their certificate what its issuer says of it. */
class FetchRevokedTest {
  private static final String STAPLING = "jdk.tls.server.enableStatusRequestExtension";

  private final TestCertificate issuer = TestCertificate.issuer();

  /** Where the server gets it from; the fetcher must not ask there. */
  private final CompletableFuture<byte[]> response = new CompletableFuture<>();

  private final ScriptedServer responder =
      ScriptedServer.playing(
          wire -> {
            while (wire.request().isPresent()) {
              wire.send(Replies.ok("application/ocsp-response", response.join()));
            }
          });

  private final TestCertificate site =
      TestCertificate.of("127.0.0.1")
          .signedBy(issuer)
          .withResponder("http://127.0.0.1:" + responder.port() + "/")
          .made();

  @AfterEach
  void close() {
    responder.close();
  }

  @Test
  void a_certificate_that_was_revoked_is_refused() throws Exception {
    response.complete(OcspResponse.revoked(site, issuer, Instant.now()));
    assertThat(fetched(stapling())).isEqualTo(new TlsFailed("the certificate was revoked"));
    assertThat(responder.requests()).hasSize(1);
  }

  @Test
  void one_that_is_good_is_trusted() throws Exception {
    response.complete(OcspResponse.good(site, issuer));
    assertThat(fetched(stapling())).isInstanceOf(Success.class);
    assertThat(responder.requests()).hasSize(1);
  }

  @Test
  void what_another_says_of_it_says_nothing() throws Exception {
    TestCertificate stranger = TestCertificate.issuer();
    response.complete(OcspResponse.revoked(site, stranger, Instant.now()));
    assertThat(fetched(stapling())).isInstanceOf(Success.class);
  }

  @Test
  void what_was_said_long_ago_says_nothing() throws Exception {
    Instant then = Instant.now().minus(Duration.ofDays(30));
    response.complete(OcspResponse.revoked(site, issuer, then));
    assertThat(fetched(stapling())).isInstanceOf(Success.class);
  }

  @Test
  void where_nothing_is_stapled_nobody_is_asked() throws Exception {
    response.complete(OcspResponse.revoked(site, issuer, Instant.now()));
    assertThat(fetched(site.server())).isInstanceOf(Success.class);
    assertThat(responder.connections()).isZero();
  }

  /** The JDK reads the setting when a context is made. */
  private SSLContext stapling() {
    System.setProperty(STAPLING, "true");
    try {
      return site.server();
    } finally {
      System.clearProperty(STAPLING);
    }
  }

  private FetchOutcome fetched(SSLContext tls) throws InterruptedException {
    Script page = Script.alwaysReplying(Replies.html("hello"));
    try (ScriptedServer server = ScriptedServer.playingSecurely(tls, "http/1.1", page);
        Loopback fetcher = Loopback.patient(Tls.trusting(issuer.trusted()))) {
      return fetcher.page(server.url("/"));
    }
  }
}
