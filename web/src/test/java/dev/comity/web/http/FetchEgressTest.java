package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.Authority;
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
import dev.comity.web.net.Resolver;
import dev.comity.web.support.Loopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a crawl says to single sites, and through whom. */
class FetchEgressTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Resolver NAMES =
      host ->
          switch (host) {
            case "public.example" -> addresses("8.8.8.8");
            case "mixed.example" -> addresses("8.8.8.8", "10.0.0.1");
            case "inward.example", "127.0.0.1" -> addresses("127.0.0.1");
            default -> throw new UnknownHostException(host);
          };

  @Test
  void a_site_gets_its_own_headers_and_another_on_the_same_machine_does_not() throws Exception {
    try (ScriptedServer mine = page();
        ScriptedServer other = page()) {
      Authority authority = mine.url("/").authority();
      HostHeaders headers =
          HostHeaders.NONE
              .withUser(authority, "me", "sécret")
              .with(authority, "X-Token", "one")
              .with(authority, "X-Token", "two");
      Egress egress = new Egress(Optional.empty(), headers, Certificates.VERIFIED);
      AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
      guard.named(authority);
      guard.named(other.url("/").authority());
      try (HttpFetcher fetcher = fetcher(guard, egress)) {
        assertThat(fetch(fetcher, mine.url("/"))).isInstanceOf(Success.class);
        assertThat(fetch(fetcher, other.url("/"))).isInstanceOf(Success.class);
      }
      SeenRequest asked = mine.requests().getFirst();
      assertThat(asked.header("Authorization")).contains("Basic bWU6c8OpY3JldA==");
      assertThat(asked.headers()).contains("X-Token: one", "X-Token: two");
      assertThat(other.requests().getFirst().headers())
          .noneMatch(line -> line.startsWith("Authorization") || line.startsWith("X-Token"));
    }
  }

  @Test
  void what_is_meant_for_https_does_not_go_out_in_clear() {
    HostHeaders headers =
        HostHeaders.NONE.withUser(new Authority("https", "site.example", 443), "me", "secret");
    assertThat(headers.of(CrawlUrl.of("https://site.example/a"))).hasSize(1);
    assertThat(headers.of(CrawlUrl.of("http://site.example/a"))).isEmpty();
    assertThat(headers.of(CrawlUrl.of("https://site.example:8443/a"))).isEmpty();
    assertThat(headers.of(CrawlUrl.of("https://www.site.example/a"))).isEmpty();
  }

  @Test
  void no_text_of_it_holds_a_password() {
    Authority site = new Authority("https", "site.example", 443);
    HostHeaders headers =
        HostHeaders.NONE.withUser(site, "me", "secret").with(site, "X-Token", "secret");
    assertThat(new Egress(Optional.empty(), headers, Certificates.VERIFIED).toString())
        .contains("https://site.example")
        .doesNotContain("secret")
        .doesNotContain("Basic");
    assertThat(headers.of(CrawlUrl.of("https://site.example/")).toString())
        .contains("X-Token")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"User-Agent", "host", "Content-Length", "Accept-Encoding", "", "a b", "a:"})
  void headers_the_crawler_sets_itself_are_not_the_users_to_set(String name) {
    Authority site = new Authority("https", "site.example", 443);
    assertThatThrownBy(() -> HostHeaders.NONE.with(site, name, "secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> HostHeaders.NONE.with(site, "X-Token", "secret\r\nHost: evil"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void an_http_proxy_is_asked_once_and_told_who_we_are() throws Exception {
    try (ScriptedServer proxy = page()) {
      assertThat(fetch(proxied("http", proxy, true), "http://public.example/a?b"))
          .isInstanceOf(Success.class);
      SeenRequest seen = proxy.requests().getFirst();
      assertThat(seen.line()).isEqualTo("GET http://public.example/a?b HTTP/1.1");
      assertThat(seen.header("Proxy-Authorization")).contains("Basic bWU6c2VjcmV0");
      assertThat(seen.header("Host")).contains("public.example");
    }
  }

  @Test
  void a_tunnel_is_asked_for_with_the_log_in_and_no_word_of_the_request() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.playing(Script.replying(Replies.status("502 No")))) {
      assertThat(fetch(proxied("http", proxy, true), "https://public.example/secret-path"))
          .isInstanceOf(ConnectionFailed.class);
      SeenRequest seen = proxy.requests().getFirst();
      assertThat(seen.line()).isEqualTo("CONNECT public.example:443 HTTP/1.1");
      assertThat(seen.header("Proxy-Authorization")).contains("Basic bWU6c2VjcmV0");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @Test
  void a_proxy_that_refuses_the_log_in_says_nothing_of_the_site_and_is_not_asked_twice()
      throws Exception {
    String refusal = Replies.status("407 No", "Proxy-Authenticate: Basic realm=\"proxy\"");
    try (ScriptedServer proxy = ScriptedServer.playing(Script.alwaysReplying(refusal))) {
      assertThat(fetch(proxied("http", proxy, true), "http://public.example/"))
          .isEqualTo(new ConnectionFailed("the proxy wants another log-in"));
      assertThat(proxy.requests()).hasSize(1);
      assertThat(fetch(proxied("http", proxy, true), "https://public.example/"))
          .isInstanceOf(ConnectionFailed.class);
      assertThat(proxy.requests()).hasSize(2);
    }
  }

  /** It may take any of a name's addresses, so one that is closed closes the name. */
  @Test
  void an_http_proxy_is_not_asked_for_what_the_guard_would_refuse() throws Exception {
    try (ScriptedServer proxy = page()) {
      assertThat(fetch(proxied("http", proxy, true), "http://inward.example/"))
          .isEqualTo(new AddressDenied("127.0.0.1"));
      assertThat(fetch(proxied("http", proxy, true), "http://127.0.0.1/"))
          .isEqualTo(new AddressDenied("127.0.0.1"));
      assertThat(fetch(proxied("http", proxy, true), "http://mixed.example/"))
          .isEqualTo(new AddressDenied("10.0.0.1"));
      assertThat(fetch(proxied("http", proxy, true), "http://public.example:25/"))
          .isEqualTo(new PortDenied(25));
      assertThat(fetch(proxied("http", proxy, false), "http://public.example/"))
          .isEqualTo(new ContactMissing("8.8.8.8"));
      assertThat(fetch(proxied("http", proxy, false), "http://only-there.example/"))
          .isEqualTo(new ContactMissing("only-there.example"));
      assertThat(proxy.connections()).isZero();
      assertThat(fetch(proxied("http", proxy, true), "http://only-there.example/"))
          .isInstanceOf(Success.class);
    }
  }

  @Test
  void a_socks_server_is_told_the_address_that_was_checked_and_no_name() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (ScriptedServer proxy = ScriptedServer.playing(wire -> socks(wire, heard, "00"))) {
      assertThat(fetch(proxied("socks5", proxy, true), "http://mixed.example/"))
          .isInstanceOf(Success.class);
      assertThat(heard).containsExactly("050102", "01026d6506736563726574", "05010001080808080050");
      assertThat(proxy.requests().getFirst().line()).isEqualTo("GET / HTTP/1.1");
      assertThat(proxy.requests().getFirst().header("Proxy-Authorization")).isEmpty();
      assertThat(fetch(proxied("socks5", proxy, true), "http://inward.example/"))
          .isEqualTo(new AddressDenied("127.0.0.1"));
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_socks_server_that_cannot_connect_is_a_connection_that_failed() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (ScriptedServer proxy = ScriptedServer.playing(wire -> socks(wire, heard, "05"))) {
      assertThat(fetch(proxied("socks5", proxy, true), "http://public.example/"))
          .isEqualTo(new ConnectionFailed("the connection was refused while connecting"));
    }
  }

  /** The other side of RFC 1928 and 1929, then a web server. */
  private static void socks(Wire wire, List<String> heard, String code)
      throws IOException, InterruptedException {
    heard.add(HEX.formatHex(wire.read(3)));
    wire.send(HEX.parseHex("0502"));
    heard.add(HEX.formatHex(wire.read(11)));
    wire.send(HEX.parseHex("0100"));
    heard.add(HEX.formatHex(wire.read(10)));
    wire.send(HEX.parseHex("05" + code + "0001" + "000000000000"));
    Script.alwaysReplying(Replies.html("through")).play(wire);
  }

  private static ScriptedServer page() {
    return ScriptedServer.playing(Script.alwaysReplying(Replies.html("hello")));
  }

  private static HttpFetcher proxied(String scheme, ScriptedServer proxy, boolean contactSet) {
    ProxyServer server = ProxyServer.parse(scheme + "://me:secret@127.0.0.1:" + proxy.port());
    return fetcher(
        new AddressGuard(NAMES, contactSet),
        new Egress(Optional.of(server), HostHeaders.NONE, Certificates.VERIFIED));
  }

  private static HttpFetcher fetcher(AddressGuard guard, Egress egress) {
    return new HttpFetcher(
        FetchSettings.DEFAULT,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        egress,
        InstantSource.fixed(Loopback.NOW));
  }

  private static FetchOutcome fetch(HttpFetcher fetcher, String url) throws InterruptedException {
    try (fetcher) {
      return fetch(fetcher, CrawlUrl.of(url));
    }
  }

  private static FetchOutcome fetch(HttpFetcher fetcher, CrawlUrl url) throws InterruptedException {
    return fetcher.fetch(url, Want.PAGE, Loopback.PATIENT, () -> true).outcome();
  }

  private static List<InetAddress> addresses(String... literals) {
    return Arrays.stream(literals).map(InetAddress::ofLiteral).toList();
  }
}
