package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.SeenRequest;
import dev.comity.testkit.wire.Wire;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Certificates;
import dev.comity.web.net.Egress;
import dev.comity.web.net.HostHeaders;
import dev.comity.web.net.ProxyServer;
import dev.comity.web.net.Tls;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** https through a proxy, which sees a host or an address and a port and no more. */
class FetchTunnelTest {
  private final ScriptedServer site =
      Line.SECURE.playing(Script.alwaysReplying(Replies.html("hello")));
  private final AtomicInteger started = new AtomicInteger();

  @AfterEach
  void close() {
    site.close();
  }

  /** Opens one tunnel to the site, whatever it is asked for. */
  private Script opening(String answer) {
    return wire -> {
      wire.request();
      wire.send(answer);
      wire.passOn(site.port());
    };
  }

  @Test
  void a_page_comes_through_a_tunnel_and_the_next_through_the_same() throws Exception {
    try (ScriptedServer proxy =
            ScriptedServer.playing(opening(Replies.head("200 Connection established")));
        HttpFetcher fetcher = fetcher(proxy, Line.trust(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/a")).isInstanceOf(Success.class);
      assertThat(fetch(fetcher, "https://public.example/b")).isInstanceOf(Success.class);
      assertThat(started).hasValue(2);
      assertThat(proxy.requests()).hasSize(1);
      SeenRequest asked = proxy.requests().getFirst();
      assertThat(asked.line()).isEqualTo("CONNECT public.example:443 HTTP/1.1");
      assertThat(asked.headers())
          .containsExactlyInAnyOrder(
              "Host: public.example:443",
              "User-Agent: Comity/1.2.3",
              "Proxy-Authorization: Basic bWU6c2VjcmV0");
      assertThat(site.requests()).hasSize(2);
      SeenRequest seen = site.requests().getFirst();
      assertThat(seen.line()).isEqualTo("GET /a HTTP/1.1");
      assertThat(seen.header("Host")).contains("public.example");
      assertThat(seen.header("Proxy-Authorization")).isEmpty();
    }
  }

  @Test
  void another_host_gets_a_tunnel_of_its_own() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.playing(opening(Replies.head("200 OK")));
        HttpFetcher fetcher = fetcher(proxy, Line.trust(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/")).isInstanceOf(Success.class);
      assertThat(fetch(fetcher, "https://other.example:8443/")).isInstanceOf(Success.class);
      assertThat(proxy.requests().stream().map(SeenRequest::line))
          .containsExactly(
              "CONNECT public.example:443 HTTP/1.1", "CONNECT other.example:8443 HTTP/1.1");
    }
  }

  @Test
  void the_site_is_verified_as_without_a_proxy() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.playing(opening(Replies.head("200 OK")));
        HttpFetcher fetcher = fetcher(proxy, Tls.verified(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(new TlsFailed("the certificate is not from a trusted issuer"));
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void a_proxy_that_opens_no_tunnel_is_named_with_its_status_and_not_asked_again()
      throws Exception {
    try (ScriptedServer proxy =
            ScriptedServer.playing(
                Script.replying(Replies.status("502 No")),
                Script.replying(Replies.status("407 No")));
        HttpFetcher fetcher = fetcher(proxy, Line.trust(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(
              new ConnectionFailed("the proxy opened no tunnel: status 502 while connecting"));
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(new ConnectionFailed("the proxy wants another log-in while connecting"));
      assertThat(proxy.requests()).hasSize(2);
      assertThat(started).hasValue(0);
    }
  }

  @Test
  void what_a_proxy_sends_before_the_tunnel_is_used_is_not_taken_for_the_sites() throws Exception {
    try (ScriptedServer proxy =
            ScriptedServer.playing(opening(Replies.head("200 OK") + Replies.html("forged")));
        HttpFetcher fetcher = fetcher(proxy, Line.trust(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(new ConnectionFailed("the answer is not HTTP while connecting"));
    }
  }

  @Test
  void a_proxy_that_says_nothing_ends_with_the_time_to_connect() throws Exception {
    Duration wait = Duration.ofSeconds(60);
    FetchSettings hasty =
        new FetchSettings(Duration.ofMillis(200), wait, wait, wait, 1_000, 1_000, 8, wait);
    try (ScriptedServer proxy = ScriptedServer.playing(Wire::hold);
        HttpFetcher fetcher = fetcher(proxy, Line.trust(), hasty)) {
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(new TimedOut("longer than 0.2 s while connecting"));
      assertThat(started).hasValue(0);
    }
  }

  /** Login and connection by RFC 1928 and 1929, then the site. */
  private void socks(Wire wire) throws IOException {
    wire.read("\5\1\2".length());
    wire.send("\5\2");
    wire.read("\1\2me\6secret".length());
    wire.send("\1\0");
    assertThat(wire.read(10)).containsExactly(5, 1, 0, 1, 8, 8, 8, 8, 1, 443 - 256);
    wire.send("\5\0\0\1" + "\0".repeat(6));
    wire.passOn(site.port());
  }

  @Test
  void pages_come_through_a_socks_server_over_one_connection() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.playing(this::socks);
        HttpFetcher fetcher = fetcher("socks5", proxy, Line.trust(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/a")).isInstanceOf(Success.class);
      assertThat(fetch(fetcher, "https://public.example/b")).isInstanceOf(Success.class);
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(site.requests().stream().map(SeenRequest::line))
          .containsExactly("GET /a HTTP/1.1", "GET /b HTTP/1.1");
    }
  }

  @Test
  void the_site_is_verified_behind_a_socks_server() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.playing(this::socks);
        HttpFetcher fetcher = fetcher("socks5", proxy, Tls.verified(), FetchSettings.DEFAULT)) {
      assertThat(fetch(fetcher, "https://public.example/"))
          .isEqualTo(new TlsFailed("the certificate is not from a trusted issuer"));
      assertThat(site.requests()).isEmpty();
    }
  }

  private FetchOutcome fetch(HttpFetcher fetcher, String url) throws InterruptedException {
    return fetcher
        .fetch(CrawlUrl.of(url), Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
        .outcome();
  }

  private static HttpFetcher fetcher(ScriptedServer proxy, Tls tls, FetchSettings settings) {
    return fetcher("http", proxy, tls, settings);
  }

  private static HttpFetcher fetcher(
      String scheme, ScriptedServer proxy, Tls tls, FetchSettings settings) {
    ProxyServer server = ProxyServer.parse(scheme + "://me:secret@127.0.0.1:" + proxy.port());
    AddressGuard guard =
        new AddressGuard(
            host -> List.of(InetAddress.ofLiteral(host.equals("127.0.0.1") ? host : "8.8.8.8")),
            true);
    return new HttpFetcher(
        settings,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        new Egress(Optional.of(server), HostHeaders.NONE, Certificates.VERIFIED),
        InstantSource.fixed(Loopback.NOW),
        tls);
  }
}
