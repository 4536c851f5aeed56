package dev.comity.testkit.wire;

import java.nio.charset.StandardCharsets;

/** Well-formed answers, one character per byte, for scripts that want to get it right. */
public final class Replies {
  private Replies() {}

  /** 200 with a page. */
  public static String html(String body) {
    return ok("text/html; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  /** 200 with these bytes, of this type and with further header lines. */
  public static String ok(String type, byte[] body, String... headers) {
    return head("200 OK", "Content-Type: " + type, lines(headers), length(body))
        + new String(body, StandardCharsets.ISO_8859_1);
  }

  /** A status such as {@code 404 Not Found}, these header lines and no body. */
  public static String status(String status, String... headers) {
    return head(status, lines(headers), "Content-Length: 0");
  }

  /** A status line, these header lines and the blank line that ends them. */
  public static String head(String status, String... headers) {
    return "HTTP/1.1 " + status + "\r\n" + lines(headers) + "\r\n";
  }

  private static String length(byte[] body) {
    return "Content-Length: " + body.length;
  }

  private static String lines(String... headers) {
    StringBuilder lines = new StringBuilder();
    for (String header : headers) {
      lines.append(header).append(header.isEmpty() || header.endsWith("\r\n") ? "" : "\r\n");
    }
    return lines.toString();
  }
}
