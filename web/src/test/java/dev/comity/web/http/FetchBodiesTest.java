package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.testkit.wire.Misbehaviour;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchBodiesTest {
  /** The five letters of "hello" as one uncompressed brotli block. */
  private static final byte[] BROTLI_HELLO = HexFormat.of().parseHex("0b028068656c6c6f03");

  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

  private final Line line;
  private final Loopback fetcher;

  FetchBodiesTest(Line line) {
    this.line = line;
    fetcher = Loopback.patient(Line.trust());
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "identity, gzip"})
  void gzip_is_decoded(String name) throws Exception {
    assertThat(text(encoded(name, gzip(HELLO)))).isEqualTo("hello");
  }

  @Test
  void deflate_is_decoded_with_its_header_and_without() throws Exception {
    assertThat(text(encoded("deflate", deflate(HELLO, false)))).isEqualTo("hello");
    assertThat(text(encoded("deflate", deflate(HELLO, true)))).isEqualTo("hello");
  }

  @Test
  void brotli_is_decoded() throws Exception {
    assertThat(text(encoded("br", BROTLI_HELLO))).isEqualTo("hello");
  }

  @Test
  void two_layers_are_decoded_in_their_order() throws Exception {
    assertThat(text(encoded("br, gzip", gzip(BROTLI_HELLO)))).isEqualTo("hello");
    assertThat(text(encoded("gzip\r\nContent-Encoding: deflate", deflate(gzip(HELLO), false))))
        .isEqualTo("hello");
  }

  @Test
  void of_a_sitemap_of_any_type_what_is_too_tooLongis_cut_off() throws Exception {
    byte[] tooLong = new byte[150_000];
    try (ScriptedServer server =
        line.playing(Script.alwaysReplying(Replies.ok("application/gzip", tooLong)))) {
      Fetched fetched = fetcher.fetch(server.url("/map.xml.gz"), Want.SITEMAP, () -> {});
      assertThat(((Success) fetched.outcome()).body().length()).isEqualTo(100_000);
      assertThat(server.requests().getFirst().header("Accept").orElseThrow()).contains("xml");
    }
  }

  @Test
  void three_layers_are_not() throws Exception {
    assertThat(page(encoded("gzip, gzip, gzip", gzip(gzip(gzip(HELLO))))))
        .isEqualTo(new Undecodable(200, "3 layers of encoding"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compress", "gzip, exi", "nonsense"})
  void an_encoding_nobody_asked_for_is_undecodable(String name) throws Exception {
    assertThat(page(encoded(name, HELLO)))
        .isEqualTo(new Undecodable(200, "an encoding we did not ask for: " + name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
  void bytes_that_are_not_what_they_claim_are_undecodable(String name) throws Exception {
    assertThat(page(encoded(name, "<html>plain after all</html>".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(new Undecodable(200, "the body is not what its Content-Encoding says"));
  }

  @Test
  void a_stream_that_ends_too_soon_in_a_whole_answer_is_undecodable() throws Exception {
    byte[] whole = gzip("hello".repeat(100).getBytes(StandardCharsets.UTF_8));
    assertThat(page(encoded("gzip", Arrays.copyOf(whole, whole.length - 12))))
        .isInstanceOf(Undecodable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "deflate", "zstd"})
  void no_bytes_at_all_are_an_empty_page_whatever_the_encoding(String name) throws Exception {
    assertThat(text(encoded(name, new byte[0]))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"99999, false", "100000, false", "100001, true"})
  void a_page_may_have_as_many_bytes_as_the_limit_says(int length, boolean tooLarge)
      throws Exception {
    byte[] body = new byte[length];
    assertThat(page(Replies.ok("text/html", body)) instanceof TooLarge).isEqualTo(tooLarge);
    assertThat(page(encoded("gzip", gzip(body))) instanceof TooLarge).isEqualTo(tooLarge);
  }

  @Test
  void a_bomb_is_given_up_at_the_limit() throws Exception {
    byte[] bomb = gzip(new byte[50_000_000]);
    assertThat(bomb.length).isLessThan(100_000);
    assertThat(page(encoded("gzip", bomb))).isEqualTo(new TooLarge(200, 100_000));
  }

  @Test
  void a_bomb_that_is_large_only_in_the_middle_is_given_up_too() throws Exception {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    byte[] empty = gzip(new byte[0]);
    for (int i = 0; i < 20_000; i++) {
      members.writeBytes(empty);
    }
    assertThat(page(encoded("gzip, gzip", gzip(members.toByteArray()))))
        .isEqualTo(new TooLarge(200, 100_000));
  }

  @Test
  void an_endless_page_is_given_up_at_the_limit() throws Exception {
    try (var server = line.playing(Misbehaviour.endlessBody())) {
      assertThat(fetcher.page(server.url("/"))).isEqualTo(new TooLarge(200, 100_000));
    }
  }

  @Test
  void of_a_robots_txt_the_beginning_is_kept_and_the_rest_ignored() throws Exception {
    byte[] body = "#".repeat(50_000).getBytes(StandardCharsets.UTF_8);
    assertThat(robotsLength(Replies.ok("text/plain", body))).isEqualTo(1_000);
    assertThat(robotsLength(encoded("gzip", gzip(body)))).isEqualTo(1_000);
    assertThat(robotsLength(Replies.ok("text/html", HELLO))).isEqualTo(5);
  }

  @Test
  void an_endless_robots_txt_is_as_good_as_a_long_one() throws Exception {
    Script endless =
        wire -> {
          wire.request();
          wire.send(Replies.head("200 OK", "Content-Type: text/plain"));
          wire.flood("Disallow: /\n");
        };
    try (var server = line.playing(endless)) {
      Success success = (Success) fetcher.robots(server.url("/robots.txt"));
      assertThat(success.body().length()).isEqualTo(1_000);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "image/png, image/png",
    "TEXT/Plain; charset=utf-8, text/plain",
    "application/pdf;x, application/pdf",
    "te\u001b[31mxt, te\\u001B[31mxt"
  })
  void another_type_is_not_read(String type, String shown) throws Exception {
    String reply = Replies.ok(type, HELLO);
    try (var server = line.playing(Script.replying(reply))) {
      Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, () -> {});
      assertThat(fetched.outcome()).isEqualTo(new WrongType(200, shown));
      assertThat(fetched.bytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "Text/HTML ; charset=x", "application/xhtml+xml", "", ";"})
  void a_page_is_html_or_says_nothing(String type) throws Exception {
    assertThat(text(Replies.ok(type, HELLO))).isEqualTo("hello");
  }

  @Test
  void the_bytes_counted_are_those_of_the_wire() throws Exception {
    byte[] zipped = gzip(new byte[90_000]);
    try (var server = line.playing(Script.replying(encoded("gzip", zipped)))) {
      Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, () -> {});
      assertThat(((Success) fetched.outcome()).body().length()).isEqualTo(90_000);
      assertThat(fetched.bytes()).isEqualTo(zipped.length);
      assertThat(fetched.firstByte()).isPresent();
      assertThat(fetched.total()).isGreaterThanOrEqualTo(fetched.firstByte().orElseThrow());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 10\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
        "Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\nhello"
      })
  void a_body_that_is_cut_off_is_a_failed_connection(String rest) throws Exception {
    String reply = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + rest;
    FetchOutcome outcome = page(reply);
    if (rest.startsWith("Content-Encoding")) {
      // Whichever is noticed first is true: the bytes are no gzip, and they are too few.
      assertThat(outcome).isInstanceOfAny(ConnectionFailed.class, Undecodable.class);
    } else {
      assertThat(outcome).isInstanceOf(ConnectionFailed.class);
      assertThat(((ConnectionFailed) outcome).detail()).endsWith("while reading the body");
    }
  }

  @Test
  void gzip_that_is_cut_off_on_the_wire_is_a_failed_connection() throws Exception {
    byte[] whole = gzip("hello".repeat(100).getBytes(StandardCharsets.UTF_8));
    String reply = encoded("gzip", whole);
    assertThat(page(reply.substring(0, reply.length() - 12))).isInstanceOf(ConnectionFailed.class);
  }

  private FetchOutcome page(String reply) throws InterruptedException {
    try (var server = line.playing(Script.replying(reply))) {
      return fetcher.page(server.url("/"));
    }
  }

  private String text(String reply) throws InterruptedException {
    return new String(((Success) page(reply)).body().bytes(), StandardCharsets.UTF_8);
  }

  private int robotsLength(String reply) throws InterruptedException {
    try (var server = line.playing(Script.replying(reply))) {
      return ((Success) fetcher.robots(server.url("/robots.txt"))).body().length();
    }
  }

  private static String encoded(String encoding, byte[] body) {
    return Replies.ok("text/html", body, "Content-Encoding: " + encoding);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] deflate(byte[] bytes, boolean raw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw);
    try (OutputStream zip = new DeflaterOutputStream(out, deflater)) {
      zip.write(bytes);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }
}
