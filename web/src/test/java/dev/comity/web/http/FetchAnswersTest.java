package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.SeenRequest;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchAnswersTest {
  private final Line line;
  private final Loopback fetcher;

  FetchAnswersTest(Line line) {
    this.line = line;
    fetcher = Loopback.patient(Line.trust());
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  @ParameterizedTest
  @CsvSource({
    "200, SUCCESS",
    "204, SUCCESS",
    "206, SUCCESS",
    "300, REDIRECT",
    "301, REDIRECT",
    "302, REDIRECT",
    "303, REDIRECT",
    "304, NOT_MODIFIED",
    "307, REDIRECT",
    "308, REDIRECT",
    "399, REDIRECT",
    "400, CLIENT_ERROR",
    "401, FORBIDDEN",
    "402, PAYMENT_REQUIRED",
    "403, FORBIDDEN",
    "404, CLIENT_ERROR",
    "407, CLIENT_ERROR",
    "408, CLIENT_ERROR",
    "410, CLIENT_ERROR",
    "420, RATE_LIMITED",
    "421, CLIENT_ERROR",
    "429, RATE_LIMITED",
    "451, LEGAL",
    "500, SERVER_ERROR",
    "502, SERVER_ERROR",
    "503, SERVER_ERROR",
    "529, RATE_LIMITED",
    "599, SERVER_ERROR",
    "600, SERVER_ERROR",
    "998, SERVER_ERROR",
    "999, RATE_LIMITED"
  })
  void every_status_has_its_meaning_and_is_asked_for_once(int code, Category category)
      throws Exception {
    try (var server = line.playing(Script.alwaysReplying(Replies.status(code + " Whatever")))) {
      FetchOutcome outcome = fetcher.page(server.url("/page"));
      assertThat(outcome.category()).isEqualTo(category);
      assertThat(outcome.status()).hasValue(code);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 099 Low\r\n\r\n",
        "HTTP/1.1 -12 Below\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        "HTTP/1.1 abc What\r\n\r\n",
        "HTTP/1.1\r\n\r\n",
        "SSH-2.0-OpenSSH_9.9\r\n",
        "220 mail.example ESMTP\r\n",
        "\r\n\r\n",
        "<html>no headers at all</html>\r\n"
      })
  void what_is_not_http_is_a_failed_connection_told_in_our_own_words(String answer)
      throws Exception {
    try (var server = line.playing(Script.replying(answer))) {
      FetchOutcome outcome = fetcher.page(server.url("/"));
      assertThat(outcome).isInstanceOf(ConnectionFailed.class);
      assertThat(((ConnectionFailed) outcome).detail()).startsWith("the answer is not HTTP");
    }
  }

  @Test
  void a_redirect_is_told_and_not_followed() throws Exception {
    String reply = Replies.status("301 Moved", "Location: ../new?x=1#part");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      Redirect redirect = (Redirect) fetcher.page(server.url("/a/b/old"));
      assertThat(redirect.code()).isEqualTo(301);
      assertThat(redirect.target().orElseThrow().target()).isEqualTo("/a/new?x=1");
      assertThat(redirect.target().orElseThrow().port()).isEqualTo(server.port());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void bytes_beyond_ascii_in_a_redirect_are_escaped_as_they_are() throws Exception {
    // The server writes each character as one byte.
    String utf8 = Replies.status("302 Found", "Location: /caf\u00c3\u00a9?q=\u00e2\u0082\u00ac");
    String latin1 = Replies.status("302 Found", "Location: /caf\u00e9?q=\u00fc");
    try (var server = line.playing(Script.replying(utf8), Script.replying(latin1))) {
      assertThat(target(fetcher.page(server.url("/1")))).isEqualTo("/caf%C3%A9?q=%E2%82%AC");
      assertThat(target(fetcher.page(server.url("/2")))).isEqualTo("/caf%E9?q=%FC");
    }
  }

  private static String target(FetchOutcome outcome) {
    return ((Redirect) outcome).target().orElseThrow().target();
  }

  @Test
  void credentials_in_a_redirect_are_dropped() throws Exception {
    String reply = Replies.status("302 Found", "Location: http://user:secret@site.example/in");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new Redirect(302, Optional.of(CrawlUrl.of("http://site.example/in"))));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Other: 1",
        "Location: ftp://site.example/",
        "Location: http://[",
        "Location: http://a b/\u0001",
        "Location: javascript:alert(1)",
        "Location: http://:80/"
      })
  void a_redirect_that_leads_nowhere_we_can_read_has_no_target(String header) throws Exception {
    try (var server = line.playing(Script.alwaysReplying(Replies.status("302 Found", header)))) {
      assertThat(fetcher.page(server.url("/"))).isEqualTo(new Redirect(302, Optional.empty()));
    }
  }

  @ParameterizedTest
  @CsvSource({"429", "503", "529"})
  void a_refusal_says_how_long_to_stay_away(int code) throws Exception {
    String reply = Replies.status(code + " Later", "Retry-After: 100");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new RateLimited(code, Optional.of(Duration.ofSeconds(100))));
    }
  }

  @Test
  void any_answer_may_announce_a_limit_and_a_redirect_may_say_how_long_to_stay_away()
      throws Exception {
    String redirect = Replies.status("302 Found", "Location: /a", "Retry-After: 7");
    try (var server = line.playing(Script.alwaysReplying(redirect))) {
      assertThat(fetcher.fetch(server.url("/"), Want.PAGE, () -> {}).announced())
          .isEqualTo(new Announced(Duration.ofSeconds(7), Duration.ZERO));
    }
    String missing = Replies.status("404 Not Found", "RateLimit: \"p\";r=5;t=10", "Retry-After: 7");
    try (var server = line.playing(Script.alwaysReplying(missing))) {
      assertThat(fetcher.fetch(server.url("/"), Want.PAGE, () -> {}).announced())
          .isEqualTo(new Announced(Duration.ZERO, Duration.ofSeconds(2)));
    }
  }

  @Test
  void a_date_to_come_back_at_counts_from_our_clock_when_the_server_names_none() throws Exception {
    String reply = Replies.status("503 Later", "Retry-After: Sun, 15 Nov 2026 12:00:30 GMT");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new RateLimited(503, Optional.of(Duration.ofSeconds(30))));
    }
  }

  @Test
  void an_unavailable_site_that_names_no_readable_time_has_a_fault() throws Exception {
    String reply = Replies.status("503 Later", "Retry-After: soon");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      assertThat(fetcher.page(server.url("/"))).isEqualTo(new ServerError(503));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Connection: close", "Connection: keep-alive"})
  void being_told_to_retry_at_once_is_left_to_the_crawl(String connection) throws Exception {
    String reply = Replies.status("503 Later", "Retry-After: 0", connection);
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      assertThat(fetcher.page(server.url("/")))
          .isEqualTo(new RateLimited(503, Optional.of(Duration.ZERO)));
      assertThat(server.requests()).hasSize(1);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void an_empty_answer_that_claims_a_length_is_still_empty() throws Exception {
    String reply = Replies.head("204 No Content", "Content-Length: 5") + "hello";
    try (var server = line.playing(Script.replying(reply))) {
      Success success = (Success) fetcher.page(server.url("/"));
      assertThat(success.code()).isEqualTo(204);
      assertThat(success.body().length()).isZero();
    }
  }

  @Test
  void early_hints_are_passed_over() throws Exception {
    String reply = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + Replies.status("404 Gone");
    try (var server = line.playing(Script.replying(reply))) {
      assertThat(fetcher.page(server.url("/"))).isEqualTo(new ClientError(404));
    }
  }

  @Test
  void the_request_introduces_us_and_carries_nothing_else() throws Exception {
    try (var server = line.playing(Script.replying(Replies.html("x")))) {
      fetcher.page(server.url("/path?q=1"));
      SeenRequest request = server.requests().getFirst();
      assertThat(request.line()).isEqualTo("GET /path?q=1 HTTP/1.1");
      assertThat(request.headers())
          .containsExactlyInAnyOrder(
              "User-Agent: Comity/1.2.3 (+https://example.org/bot)",
              "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
              "Accept-Encoding: gzip, br, zstd, deflate",
              "Host: 127.0.0.1:" + server.port());
    }
  }

  @Test
  void a_cookie_that_was_set_is_not_brought_back() throws Exception {
    String reply = Replies.status("404 Not Found", "Set-Cookie: id=1; Path=/");
    try (var server = line.playing(Script.alwaysReplying(reply))) {
      fetcher.page(server.url("/"));
      fetcher.page(server.url("/"));
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().getLast().header("Cookie")).isEmpty();
    }
  }
}
