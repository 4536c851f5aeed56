package dev.comity.testkit.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;

/** The server's end of one connection. */
public final class Wire {
  private final int connection;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final Consumer<SeenRequest> seen;

  Wire(int connection, Socket socket, Consumer<SeenRequest> seen) throws IOException {
    this.connection = connection;
    this.socket = socket;
    // What was sent has left, also when what was sent before is not acknowledged yet.
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
    this.seen = seen;
  }

  /** Which connection this is, counted from 0. */
  public int connection() {
    return connection;
  }

  /** Reads a request up to the blank line that ends it; empty if the other side has left. */
  public Optional<SeenRequest> request() throws IOException {
    StringBuilder head = new StringBuilder();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    Instant at = Instant.now();
    for (; next >= 0; next = in.read()) {
      head.append((char) next);
      if (head.length() >= 4 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0) {
        List<String> lines = head.toString().strip().lines().toList();
        SeenRequest request =
            new SeenRequest(connection, at, lines.getFirst(), lines.subList(1, lines.size()));
        seen.accept(request);
        return Optional.of(request);
      }
    }
    return Optional.empty();
  }

  /** Reads exactly so many bytes, whatever they mean; fewer if the other side has left. */
  public byte[] read(int count) throws IOException {
    return in.readNBytes(count);
  }

  /** The TLS of this connection, once something was read from it. */
  public Optional<SSLSocket> tls() {
    return socket instanceof SSLSocket secure ? Optional.of(secure) : Optional.empty();
  }

  /** Passes everything on to a port of this machine and back, until either side leaves. */
  public void passOn(int port) throws IOException {
    try (Socket other = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (other) {
                  in.transferTo(other.getOutputStream());
                } catch (IOException _) {
                  // One side has left.
                }
              });
      other.getInputStream().transferTo(out);
    }
  }

  /** Writes text, each character as one byte. */
  public void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Writes bytes and makes sure they leave. */
  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Writes this text again and again with a pause between, until the other side leaves. */
  public void trickle(String text, Duration pause) throws IOException, InterruptedException {
    trickle(text.getBytes(StandardCharsets.ISO_8859_1), pause);
  }

  /** Writes these bytes again and again with a pause between, until the other side leaves. */
  public void trickle(byte[] bytes, Duration pause) throws IOException, InterruptedException {
    while (true) {
      send(bytes);
      Thread.sleep(pause);
    }
  }

  /** Writes this text again and again without a pause, until the other side leaves. */
  public void flood(String text) throws IOException {
    byte[] bytes = text.repeat(1 + 8192 / text.length()).getBytes(StandardCharsets.ISO_8859_1);
    while (true) {
      send(bytes);
    }
  }

  /** Says nothing until the other side leaves. */
  public void hold() throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  /** Ends the connection properly, before the script itself ends. */
  public void close() throws IOException {
    socket.close();
  }

  /** Breaks the connection off instead of ending it. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
