package dev.comity.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.NullMarked;

/** Answers over https, a virtual thread for each connection. */
@NullMarked
final class SecureServer implements AutoCloseable {
  private static final String END = "\r\n\r\n";

  /** What is answered to a request, seen at that time, that had not come before the other one. */
  interface Answers {
    byte[] to(String request, long nanos, long since);
  }

  private final ServerSocket listening;

  private SecureServer(ServerSocket listening) {
    this.listening = listening;
  }

  /** Listens on a free port, at all addresses. */
  static SecureServer open(SSLContext tls) throws IOException {
    return new SecureServer(tls.getServerSocketFactory().createServerSocket(0, 5_000));
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Answers until closed. */
  void start(Answers answers, Duration latency) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!listening.isClosed()) {
                accept(answers, latency);
              }
            });
  }

  private void accept(Answers answers, Duration latency) {
    try {
      Socket socket = listening.accept();
      long since = System.nanoTime();
      Thread.ofVirtual().start(() -> serve(socket, since, answers, latency));
    } catch (IOException broken) {
      if (!listening.isClosed()) {
        throw new UncheckedIOException(broken);
      }
    }
  }

  private static void serve(Socket socket, long accepted, Answers answers, Duration latency) {
    try (socket) {
      if (!socket.getLocalAddress().isLoopbackAddress()) {
        return;
      }
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      // The next request comes after the answer to this one.
      long since = accepted;
      for (String request = read(in); !request.isEmpty(); request = read(in)) {
        byte[] answer = answers.to(request, System.nanoTime(), since);
        Thread.sleep(latency);
        since = System.nanoTime();
        socket.getOutputStream().write(answer);
      }
    } catch (IOException _) {
      // The crawler has left.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** A request's head; empty where the connection ends. */
  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int read = in.read(); read >= 0; read = in.read()) {
      head.write(read);
      if (read == '\n' && head.toString(StandardCharsets.ISO_8859_1).endsWith(END)) {
        return head.toString(StandardCharsets.ISO_8859_1);
      }
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
