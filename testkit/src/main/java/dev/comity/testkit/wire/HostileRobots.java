package dev.comity.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * Servers whose robots.txt is not as it should be. Every file that can be read at all denies {@code
 * /private} to everyone, in its first lines, and nothing else.
 */
public final class HostileRobots {
  private static final String RULES = "User-agent: *\nDisallow: /private\n";
  private static final int MEBIBYTE = 1 << 20;

  private HostileRobots() {}

  /** Five megabytes of comments behind the rules. */
  public static Script huge() {
    return serving(bytes(RULES + "# and so on\n".repeat(5 * MEBIBYTE / 12)));
  }

  /** Comments without end behind the rules. */
  public static Script endless() {
    return wire -> {
      wire.request();
      wire.send(Replies.head("200 OK", "Content-Type: text/plain") + RULES);
      wire.flood("# and so on\n");
    };
  }

  /** The page that a site shows for whatever it does not have; there are no rules in it. */
  public static Script html() {
    return Script.alwaysReplying(
        Replies.html("<!doctype html>\n<title>Disallow: /</title>\n<p>Disallow: /private\n"));
  }

  /** A byte order mark in front, as editors leave it. */
  public static Script byteOrderMark() {
    return serving(bytes("\uFEFF" + RULES));
  }

  /** Text of sixteen bits a character, in the order the name says. */
  public static Script utf16(Charset charset) {
    return serving(("\uFEFF" + RULES).getBytes(charset));
  }

  /** Lines that end as they did on computers long ago. */
  public static Script carriageReturns() {
    return serving(bytes(RULES.replace('\n', '\r')));
  }

  /** Zero bytes before, between and behind the lines. */
  public static Script zeroBytes() {
    return serving(bytes("\0\0\n" + RULES.replace("\n", "\n\0\n") + "\0".repeat(10_000)));
  }

  /** A hundred megabytes in a hundred kilobytes. */
  public static Script gzipBomb() {
    byte[] blanks = new byte[MEBIBYTE];
    Arrays.fill(blanks, (byte) '#');
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes(RULES));
      for (int count = 0; count < 100; count++) {
        gzip.write(blanks);
      }
    } catch (IOException cannotBe) {
      throw new UncheckedIOException(cannotBe);
    }
    return serving(packed.toByteArray(), "Content-Encoding: gzip");
  }

  /** Says that it is packed and is not. */
  public static Script brokenGzip() {
    return serving(bytes(RULES), "Content-Encoding: gzip");
  }

  /** Promises more than it sends, and is gone. */
  public static Script cutOff() {
    return wire -> {
      wire.request();
      wire.send(Replies.head("200 OK", "Content-Type: text/plain", "Content-Length: 1000") + RULES);
    };
  }

  private static Script serving(byte[] file, String... headers) {
    return Script.alwaysReplying(Replies.ok("text/plain", file, headers));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
