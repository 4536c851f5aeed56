package dev.comity.testkit.gen;

import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * What a server might send: a good answer, mostly with something wrong about it, from a single bit
 * to half of it missing, and then the end of the connection, or silence.
 */
public final class HostileAnswers implements Generator<HostileAnswers.HostileAnswer> {
  private static final List<String> STATUSES =
      List.of(
          "200 OK",
          "200 OK",
          "200 OK",
          "200 OK",
          "200",
          "204 No Content",
          "206 Partial",
          "301 Moved",
          "302 Found",
          "304 Not Modified",
          "404 Not Found",
          "429 Slow",
          "503 Busy",
          "999 No",
          "100",
          "101 Switching",
          "0",
          "-1",
          "2000000000000",
          "abc",
          "");
  private static final List<String> VERSIONS =
      List.of(
          "HTTP/1.1 ", "HTTP/1.1 ", "HTTP/1.1 ", "HTTP/1.0 ", "HTTP/2 ", "HTTP/1.1", "ICY ", "");
  private static final List<String> LINES =
      List.of(
          "Content-Length: 0",
          "Content-Length: 5",
          "Content-Length: -1",
          "Content-Length: 1e3",
          "Content-Length: 99999999999999999999",
          "Content-Length: 3\r\nContent-Length: 4",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: identity, chunked",
          "Transfer-Encoding: gzip, chunked",
          "Content-Encoding: gzip",
          "Content-Encoding: br",
          "Content-Encoding: gzip, gzip, gzip",
          "Content-Encoding: zstd",
          "Content-Encoding: nonsense",
          "Content-Type: image/png",
          "Content-Type: text/html; charset=utf-16",
          "Content-Type: ;;;charset=",
          "Content-Type",
          ": nameless",
          " folded: line",
          "Connection: close",
          "Connection: keep-alive",
          "Connection: upgrade",
          "Location: /elsewhere",
          "Location: http://[",
          "Location: " + "/x".repeat(3_000),
          "Retry-After: 1e99",
          "X: \0\1\2",
          "X-Robots-Tag: none",
          "Link: </a>; rel=next, <<<>>>",
          "Set-Cookie: a=b",
          "Trailer: X",
          "Expect: 100-continue",
          "X: " + "y".repeat(10_000));
  private static final List<String> ROBOTS =
      List.of(
          "User-agent: *",
          "User-agent: Comity",
          "Disallow: /",
          "Disallow: /*a*b*c$",
          "Allow: /%zz",
          "Crawl-delay: 1e9",
          "Crawl-delay: NaN",
          "Sitemap: http://[",
          "\ufeff",
          "\0",
          "Disallow",
          "#",
          "Disallow: " + "*".repeat(200),
          "User agent *",
          "<html>");

  private static final List<String> SITEMAP =
      List.of(
          "<urlset>",
          "</urlset>",
          "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
          "<url><loc>http://a.example/1</loc></url>",
          "<url><loc>http://a.example/?a=1&b=2</loc>",
          "<loc>http://a.example/&amp;&#x41;&#0;&#99999999999;&lol;</loc>",
          "<loc><![CDATA[http://a.example/2]]></loc>",
          "<![CDATA[",
          "]]>",
          "<sitemap><loc>http://a.example/map.xml</loc></sitemap>",
          "<image:image><image:loc>http://a.example/i.png</image:loc></image:image>",
          "<!DOCTYPE urlset [<!ENTITY lol \"lol\">]>",
          "<!DOCTYPE urlset SYSTEM \"http://127.0.0.1:1/dtd\" [",
          "<!-- ",
          " -->",
          "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
          "<a b='>' c=\">",
          "<" + "x:".repeat(300),
          "<loc>".repeat(50),
          "<loc>" + "http://a.example/" + "y".repeat(5_000) + "</loc>",
          "http://a.example/plain\n",
          "\ufeff",
          "\0",
          "&");

  private static final List<String> TDMREP =
      List.of(
          "[",
          "]",
          "{",
          "}",
          ",",
          "{\"location\":\"/\",\"tdm-reservation\":1}",
          "{\"location\":\"" + "*".repeat(200) + "$\",\"tdm-reservation\":1},",
          "\"location\":{},",
          "\"tdm-reservation\":1e999999,",
          "\"" + "x".repeat(5_000) + "\",",
          "[".repeat(300),
          "<html>",
          "\ufeff",
          "\0");

  private static final HostileHtml PAGES = HostileHtml.wild();

  /** What was asked for. */
  public enum Sort {
    PAGE("text/html; charset=utf-8"),
    ROBOTS("text/plain"),
    TDMREP("application/json"),
    SITEMAP("application/xml");

    private final String type;

    Sort(String type) {
      this.type = type;
    }
  }

  /**
   * An answer.
   *
   * @param bytes one character each
   */
  public record HostileAnswer(String bytes, Sort sort, ConnectionEnd ending) {

    /** Plays it. */
    public Script script() {
      return wire -> {
        wire.send(bytes);
        switch (ending) {
          case CLOSE -> wire.close();
          case RESET -> wire.reset();
          case HOLD -> {
            wire.request();
            wire.close();
          }
          case KEEP -> {}
        }
      };
    }
  }

  /** What comes after the last byte. */
  public enum ConnectionEnd {
    CLOSE,
    RESET,
    /** Nothing, until the other side leaves or asks again, and no answer then. */
    HOLD,
    /** The next request is waited for. */
    KEEP
  }

  @Override
  public HostileAnswer draw(Draw draw) {
    Sort sort = draw.from(List.of(Sort.PAGE, Sort.PAGE, Sort.ROBOTS, Sort.TDMREP, Sort.SITEMAP));
    byte[] body = body(draw, sort);
    StringBuilder bytes = new StringBuilder(answer(draw, sort.type, body));
    for (int faults = draw.below(4); faults > 0; faults--) {
      damage(draw, bytes);
    }
    ConnectionEnd ending =
        draw.onceIn(100)
            ? ConnectionEnd.HOLD
            : draw.from(
                List.of(
                    ConnectionEnd.CLOSE,
                    ConnectionEnd.CLOSE,
                    ConnectionEnd.CLOSE,
                    ConnectionEnd.KEEP,
                    ConnectionEnd.RESET));
    return new HostileAnswer(bytes.toString(), sort, ending);
  }

  private static byte[] body(Draw draw, Sort sort) {
    return switch (sort) {
      case PAGE -> PAGES.draw(draw).getBytes(StandardCharsets.UTF_8);
      case ROBOTS -> pieces(draw, ROBOTS, List.of("\n", "\r\n", "\r", ""));
      case TDMREP -> pieces(draw, TDMREP, List.of("", "", "\n"));
      case SITEMAP -> {
        byte[] some = pieces(draw, SITEMAP, List.of("\n", "", "", " "));
        byte[] map = draw.onceIn(4) ? some : bytes("<urlset>" + latin(some));
        // Packed as a file, whatever the server does to it on the way.
        yield draw.onceIn(4) ? gzipped(map) : map;
      }
    };
  }

  private static byte[] pieces(Draw draw, List<String> some, List<String> ends) {
    StringBuilder lines = new StringBuilder();
    for (int more = draw.below(20); more > 0; more--) {
      lines.append(draw.from(some)).append(draw.from(ends));
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String answer(Draw draw, String type, byte[] body) {
    return switch (draw.below(5)) {
      case 0 -> Replies.ok(type, body);
      case 1 ->
          Replies.head("200 OK", "Content-Type: " + type, "Transfer-Encoding: chunked")
              + chunked(draw, body);
      case 2 -> Replies.ok(type, gzipped(body), "Content-Encoding: gzip");
      case 3 -> Replies.head("200 OK", "Content-Type: " + type) + latin(body);
      default -> odd(draw, body);
    };
  }

  private static String odd(Draw draw, byte[] body) {
    StringBuilder answer = new StringBuilder();
    answer.append(draw.from(VERSIONS)).append(draw.from(STATUSES)).append("\r\n");
    for (int more = draw.below(6); more > 0; more--) {
      answer.append(draw.from(LINES)).append(draw.onceIn(10) ? "\n" : "\r\n");
    }
    return answer.append("\r\n").append(latin(body)).toString();
  }

  private static String chunked(Draw draw, byte[] body) {
    String text = latin(body);
    StringBuilder chunks = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int size = Math.min(text.length() - at, 1 + draw.logUniform(2_000));
      chunks.append(Integer.toHexString(size)).append(draw.onceIn(20) ? ";x=y" : "").append("\r\n");
      chunks.append(text, at, at + size).append("\r\n");
      at += size;
    }
    return chunks.append("0\r\n\r\n").toString();
  }

  private static byte[] gzipped(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static void damage(Draw draw, StringBuilder bytes) {
    if (bytes.isEmpty()) {
      return;
    }
    // Most of what can go wrong goes wrong early: in the status line, the headers, the first chunk.
    int at = Math.min(draw.logUniform(bytes.length()), bytes.length() - 1);
    int span = Math.min(bytes.length() - at, 1 + draw.logUniform(200));
    switch (draw.below(7)) {
      case 0 -> bytes.setCharAt(at, (char) (bytes.charAt(at) ^ 1 << draw.below(8)));
      case 1 -> bytes.delete(at, at + span);
      case 2 -> bytes.insert(at, bytes.substring(at, at + span));
      case 3 -> bytes.setLength(at);
      case 4 -> bytes.insert(at, (char) draw.below(256));
      case 5 -> bytes.insert(at, draw.from(LINES) + "\r\n");
      default -> bytes.append(bytes.substring(0, at));
    }
  }

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
