package dev.comity.web.http;

import dev.comity.core.outcome.Headers;
import dev.comity.web.http.Framing.UnclearEnd;
import dev.comity.web.http.Http1Connection.HeadTooLong;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Locale;
import java.util.Set;

/**
 * The first lines of an answer, read as RFC 9112 has them and a little more forgivingly where every
 * browser is: lines may end with LF alone, and a line that is no header is left out.
 *
 * @param persistent whether the server means to go on with this connection
 */
record Http1Head(int code, boolean persistent, Headers headers) {
  /** Bytes of one head, with the interim ones before it. */
  static final int MOST_BYTES = 256 * 1024;

  static final int MOST_HEADERS = 1_000;

  private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

  /** Answers that only say that an answer will come. */
  private static final int MOST_INTERIM = 20;

  /** Reads up to the answer proper. */
  static Http1Head read(Http1Connection connection) throws IOException {
    if (connection.isHttp2()) {
      throw new Http2Only();
    }
    Lines lines = new Lines(connection);
    for (int interim = 0; interim <= MOST_INTERIM; interim++) {
      Http1Head head = one(lines);
      boolean onlyInterim = head.code >= 100 && head.code < 200 && head.code != 101;
      if (!onlyInterim) {
        return head;
      }
    }
    throw new ProtocolException("interim answers without end");
  }

  private static Http1Head one(Lines lines) throws IOException {
    lines.connection.beginHead();
    String status = lines.next();
    if (!status.regionMatches(true, 0, "HTTP/1.", 0, 7) || status.length() < 12) {
      throw new ProtocolException("no status line");
    }
    boolean recent = status.charAt(7) != '0';
    int code = code(status);
    Headers headers = headers(lines);
    return new Http1Head(code, recent && !saysClose(headers), headers);
  }

  /** Three digits after the version, and nothing or a blank behind them. */
  private static int code(String status) throws ProtocolException {
    boolean framed = status.charAt(8) == ' ' && (status.length() == 12 || status.charAt(12) == ' ');
    int code = 0;
    for (int at = 9; at < 12; at++) {
      char digit = status.charAt(at);
      if (digit < '0' || digit > '9') {
        throw new ProtocolException("no status");
      }
      code = 10 * code + digit - '0';
    }
    if (!framed) {
      throw new ProtocolException("no status");
    }
    return code;
  }

  private static Headers headers(Lines lines) throws IOException {
    Headers.Draft headers = new Headers.Draft();
    int count = 0;
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      if (++count > MOST_HEADERS) {
        throw new HeadTooLong();
      }
      char first = line.charAt(0);
      int colon = line.indexOf(':');
      if (first == ' ' || first == '\t') {
        headers.extend(line.strip());
      } else if (colon > 0) {
        headers.add(name(line, colon), value(line, colon));
      }
    }
    return headers.done();
  }

  private static String name(String line, int colon) throws UnclearEnd {
    String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
    String stripped = name.strip();
    if (stripped.length() < name.length() && FRAMING.contains(stripped)) {
      // Some clients read it as a header and some do not, so the end is ambiguous.
      throw new UnclearEnd();
    }
    return name;
  }

  private static String value(String line, int colon) {
    // Nearly always one blank and nothing else to strip: then there is one copy, not two.
    boolean blank = line.startsWith(" ", colon + 1);
    return line.substring(blank ? colon + 2 : colon + 1).strip();
  }

  private static boolean saysClose(Headers headers) {
    for (String option : headers.elements("connection")) {
      if (option.equalsIgnoreCase("close")) {
        return true;
      }
    }
    return false;
  }

  /** The server answers in HTTP/2, though that was not offered. */
  static final class Http2Only extends IOException {}

  /** Lines that may not have more bytes than a head in all. */
  private static final class Lines {
    private final Http1Connection connection;
    private int left = MOST_BYTES;

    Lines(Http1Connection connection) {
      this.connection = connection;
    }

    String next() throws IOException {
      String line = connection.line(left);
      left -= line.length() + 1;
      if (left < 0) {
        throw new HeadTooLong();
      }
      return line;
    }
  }
}
