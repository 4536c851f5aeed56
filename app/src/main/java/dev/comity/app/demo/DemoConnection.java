package dev.comity.app.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A connection to a site of the demo: reads requests without bodies and writes replies. It is no
 * general server. Unlike one, it knows how much of a body it has sent.
 */
final class DemoConnection {
  /** How long a body waits for its visitor to leave. */
  private static final int PATIENCE = 1000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  DemoConnection(Socket socket) throws IOException {
    this.socket = socket;
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** A request: the host it names, without a port, and the path. */
  record DemoRequest(String host, String path) {}

  /** The next request; empty if there is none. */
  Optional<DemoRequest> request() throws IOException {
    String[] first = line().split(" ", -1);
    if (first.length != 3) {
      return Optional.empty();
    }
    String host = "";
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("host:")) {
        host = line.substring(5).strip().replaceFirst(":\\d+$", "");
      }
    }
    return Optional.of(new DemoRequest(host, first[1].replaceFirst("\\?.*", "")));
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** Writes a reply; answers how many bytes of its body. */
  int reply(DemoReply reply) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " Demo\r\n");
    reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    byte[] body = reply.body().bytes();
    head.append("Content-Length: " + body.length + "\r\n\r\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    if (reply.waits() && hasLeft()) {
      return 0;
    }
    out.write(body);
    out.flush();
    return body.length;
  }

  private boolean hasLeft() throws IOException {
    socket.setSoTimeout(PATIENCE);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException _) {
      return false;
    } finally {
      socket.setSoTimeout(0);
    }
  }
}
