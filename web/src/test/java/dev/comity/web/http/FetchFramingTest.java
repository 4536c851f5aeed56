package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.testkit.wire.Misbehaviour;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a server says about the end of its answer, the next answer is the next one's. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchFramingTest {
  private static final String PAGE = Replies.html("hello");
  private static final String FORGED = Replies.html("forged");

  private final Line line;
  private final Loopback fetcher;

  FetchFramingTest(Line line) {
    this.line = line;
    fetcher = Loopback.patient(Line.trust());
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nforged",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Swallow: ",
        "HTTP/1.1 404",
        "\r\n",
        "x"
      })
  void what_follows_an_answer_is_not_taken_for_the_next(String rest) throws Exception {
    try (var server = line.playing(Misbehaviour.leftover(PAGE, rest))) {
      assertThat(text(fetcher.page(server.url("/1")))).isEqualTo("hello");
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.requests()).hasSize(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  /** Of such lengths that what follows lies in one buffer or another when the page is read. */
  @ParameterizedTest
  @ValueSource(ints = {0, 8_000, 8_192, 12_000, 16_384, 20_000, 26_000, 27_000, 40_000})
  void what_follows_a_long_answer_is_not_taken_for_the_next(int length) throws Exception {
    String page = Replies.html("x".repeat(length));
    Script script = Misbehaviour.leftover(page, FORGED);
    try (var server = line.playing(script, Script.alwaysReplying(PAGE))) {
      assertThat(text(fetcher.page(server.url("/1")))).hasSize(length);
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"204 No Content", "205 Reset Content", "304 Not Modified", "404 Gone"})
  void a_body_where_none_belongs_is_not_taken_for_the_next_answer(String status) throws Exception {
    String reply = Replies.head(status, "Content-Length: 0") + FORGED;
    Script script =
        wire -> {
          wire.request();
          wire.send(reply);
          while (wire.request().isPresent()) {
            wire.send(PAGE);
          }
        };
    try (var server = line.playing(script, Script.alwaysReplying(PAGE))) {
      assertThat(fetcher.page(server.url("/1")))
          .isInstanceOfAny(Success.class, NotModified.class, ClientError.class);
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: -5",
        "Content-Length: +5",
        "Content-Length: 5, 6",
        "Content-Length: 5,",
        "Content-Length: 5, 5\r\nContent-Length: 6",
        "Content-Length: five",
        "Content-Length: 0x5",
        "Content-Length: 99999999999999999999",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"
      })
  void an_answer_whose_end_nobody_can_tell_is_a_failed_connection(String header) throws Exception {
    String reply = Replies.head("200 OK", "Content-Type: text/html", header) + "hello" + FORGED;
    try (var server = line.playing(Misbehaviour.leftover(reply, ""), Script.alwaysReplying(PAGE))) {
      assertThat(fetcher.page(server.url("/1")))
          .isEqualTo(
              new ConnectionFailed("the end of the answer is ambiguous while reading the body"));
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n",
        "HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\nContent-Length: 5\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n"
      })
  void a_connection_the_server_is_done_with_is_not_used_again(String head) throws Exception {
    String reply = head + "Content-Type: text/html\r\n\r\nhello";
    try (var server = line.playing(Misbehaviour.leftover(reply, ""), Script.alwaysReplying(PAGE))) {
      assertThat(text(fetcher.page(server.url("/1")))).isEqualTo("hello");
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void chunks_count_where_a_length_is_given_too_but_the_connection_is_not_trusted()
      throws Exception {
    String reply =
        Replies.head(
                "200 OK",
                "Content-Type: text/html",
                "Content-Length: 3",
                "Transfer-Encoding: chunked")
            + "5\r\nhello\r\n0\r\n\r\n";
    try (var server = line.playing(Misbehaviour.leftover(reply, ""))) {
      assertThat(text(fetcher.page(server.url("/1")))).isEqualTo("hello");
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void a_length_that_some_would_not_read_as_one_is_trusted_by_nobody() throws Exception {
    String reply =
        Replies.head("200 OK", "Content-Type: text/html", "Content-Length : 5") + "hello" + FORGED;
    try (var server = line.playing(Misbehaviour.leftover(reply, ""), Script.alwaysReplying(PAGE));
        var hasty = Loopback.withShortIdle(Line.trust())) {
      assertThat(hasty.page(server.url("/1"))).isInstanceOf(ConnectionFailed.class);
      assertThat(text(hasty.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5,5",
        "Content-Length: 5 , 5\r\nContent-Length: 5"
      })
  void a_length_that_is_said_twice_alike_is_one(String header) throws Exception {
    String reply = Replies.head("200 OK", "Content-Type: text/html", header) + "hello";
    try (var server = line.playing(Misbehaviour.leftover(reply, ""), Script.alwaysReplying(PAGE))) {
      assertThat(text(fetcher.page(server.url("/1")))).isEqualTo("hello");
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_body_shorter_than_a_length_that_is_said_twice_is_cut_off() throws Exception {
    String reply =
        Replies.head("200 OK", "Content-Type: text/html", "Content-Length: 9, 9") + "hello";
    try (var server = line.playing(Script.replying(reply))) {
      assertThat(fetcher.page(server.url("/"))).isInstanceOf(ConnectionFailed.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\nhello\r\n",
        "5\r\nhelloXX0\r\n\r\n",
        "\r\n\r\n"
      })
  void bad_chunks_are_a_failed_connection_and_the_next_answer_is_right(String chunks)
      throws Exception {
    String reply =
        Replies.head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked") + chunks;
    try (var server = line.playing(Misbehaviour.leftover(reply, ""), Script.alwaysReplying(PAGE))) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(ConnectionFailed.class);
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nX-T: y\r\n\r\nHTTP/1.1 404 Forged\r\n\r\n",
        "5;ext=\"\r\nhello\r\n0\r\n\r\nx",
        "000005\r\nhello\r\n00\r\n\r\n\r\n"
      })
  void sloppy_chunks_are_a_page_at_best_and_the_next_answer_is_right(String chunks)
      throws Exception {
    String reply =
        Replies.head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked") + chunks;
    try (var server =
        line.playing(
            wire -> {
              wire.request();
              wire.send(reply);
              while (wire.request().isPresent()) {
                wire.send(PAGE);
              }
            },
            Script.alwaysReplying(PAGE))) {
      assertThat(fetcher.page(server.url("/1")))
          .isInstanceOfAny(Success.class, ConnectionFailed.class);
      assertThat(text(fetcher.page(server.url("/2")))).isEqualTo("hello");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no colon here",
        ": no name",
        "X-Folded: a\r\n  b",
        "X Space : y",
        "X-Control: \u0001\u0007\u00ff",
        "Set-Cookie: a=1\r\nSet-Cookie: \u00e4"
      })
  void odd_header_lines_are_passed_over(String header) throws Exception {
    String reply =
        Replies.head("200 OK", "Content-Type: text/html", header, "Content-Length: 5") + "hello";
    try (var server = line.playing(Script.replying(reply))) {
      assertThat(text(fetcher.page(server.url("/")))).isEqualTo("hello");
    }
  }

  private static String text(FetchOutcome outcome) {
    return new String(((Success) outcome).body().bytes(), StandardCharsets.UTF_8);
  }
}
