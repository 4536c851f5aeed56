package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One reader says which host a URL names; the look-up, the guard and the wire all go by it. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchOneHostTest {
  private final Line line;

  FetchOneHostTest(Line line) {
    this.line = line;
  }

  @ParameterizedTest
  @CsvSource({
    "http://good.example:PORT\\@evil.example/, good.example",
    "http://evil.example@good.example:PORT/, good.example",
    "http://evil.example:80@good.example:PORT/, good.example",
    "http://a@evil.example:80@good.example:PORT/, good.example",
    "http://good.example:PORT#@evil.example/, good.example",
    "http://good.example:PORT?@evil.example/, good.example",
    "http:\\\\good.example:PORT\\evil.example, good.example",
    "http:///good.example:PORT/, good.example",
    "http://GOOD%2Eexample:PORT/, good.example",
    "http://good.exam\tple:PORT/, good.example",
    "http://good。example:PORT/, good.example",
    "http://ｇｏｏｄ.example:PORT/, good.example",
  })
  void the_host_that_was_read_is_the_one_looked_up_and_named_on_the_wire(String text, String host)
      throws Exception {
    List<String> lookedUp = new CopyOnWriteArrayList<>();
    AddressGuard guard =
        new AddressGuard(
            name -> {
              lookedUp.add(name);
              return List.of(InetAddress.ofLiteral("127.0.0.1"));
            },
            false);
    try (ScriptedServer server = line.playing(Script.alwaysReplying(Replies.html("hello")));
        HttpFetcher fetcher = fetcher(guard)) {
      CrawlUrl url =
          CrawlUrl.of(
              text.replace("PORT", String.valueOf(server.port()))
                  .replaceFirst("^http", line.scheme()));
      assertThat(url.host()).isEqualTo(host);
      assertThat(url.authority().host()).isEqualTo(host);
      guard.named(url.authority());
      assertThat(fetcher.fetch(url, Want.PAGE, Loopback.PATIENT, () -> true).outcome())
          .isInstanceOf(Success.class);
      assertThat(lookedUp).containsOnly(host);
      assertThat(server.requests().getFirst().header("Host")).contains(host + ":" + server.port());
      assertThat(server.requests().getFirst().header("Authorization")).isEmpty();
    }
  }

  /** The JDK's TLS server reads no such name, so of TLS only the first message is looked at. */
  @Test
  void a_host_with_an_underscore_is_named_as_it_is() throws Exception {
    AddressGuard guard = new AddressGuard(_ -> List.of(InetAddress.ofLiteral("127.0.0.1")), false);
    CompletableFuture<String> sent = new CompletableFuture<>();
    Script listening =
        wire ->
            sent.complete(
                new String(wire.read(line == Line.PLAIN ? 100 : 300), StandardCharsets.ISO_8859_1));
    try (ScriptedServer server = ScriptedServer.playing(listening);
        HttpFetcher fetcher = fetcher(guard)) {
      String port = ":" + server.port();
      CrawlUrl url = CrawlUrl.of(line.scheme() + "://a_b.good.example" + port + "/");
      guard.named(url.authority());
      fetcher.fetch(url, Want.PAGE, Loopback.PATIENT, () -> true);
      String named =
          line == Line.PLAIN ? "Host: a_b.good.example" + port : "\0\u0010a_b.good.example";
      assertThat(sent.get()).contains(named);
    }
  }

  private static HttpFetcher fetcher(AddressGuard guard) {
    return new HttpFetcher(
        FetchSettings.DEFAULT,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        InstantSource.fixed(Loopback.NOW),
        Line.trust());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://good.example\0.evil.example/",
        "http://good.example%00.evil.example/",
        "http://good example/",
        "http://good.example%20/",
        "http://[good.example]/",
        "http://[::1]evil.example/",
        "http://[::1/",
        "http://good.example:80:443/",
        "http://good.example|evil.example/",
        "http://<good.example>/",
        "http://127.0.0.1.5/",
        "http://127.0.0.256/",
      })
  void what_could_be_read_in_two_ways_is_read_in_none(String text) {
    assertThat(CrawlUrl.parse(text.replaceFirst("^http", line.scheme())))
        .isInstanceOf(UrlRefusal.class);
  }
}
