package dev.comity.testkit.wire;

import dev.comity.core.url.CrawlUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/**
 * A server on loopback that answers each request by its target, for as long as one likes: unlike a
 * {@link ScriptedServer} it remembers nothing.
 */
public final class TirelessServer implements AutoCloseable {
  private static final int BACKLOG = 200;

  private final ServerSocket listening;
  private final String scheme;
  private final Function<String, Script> answers;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private TirelessServer(ServerSocket listening, String scheme, Function<String, Script> answers) {
    this.listening = listening;
    this.scheme = scheme;
    this.answers = answers;
  }

  /**
   * Starts a server.
   *
   * @param answers what is played for a target once its request was read
   */
  public static TirelessServer answering(Function<String, Script> answers) {
    return listening(ServerSocketFactory.getDefault(), "http", answers);
  }

  /**
   * Starts one that answers behind TLS.
   *
   * @param tls has the server's certificate
   */
  public static TirelessServer answeringSecurely(SSLContext tls, Function<String, Script> answers) {
    return listening(tls.getServerSocketFactory(), "https", answers);
  }

  private static TirelessServer listening(
      ServerSocketFactory sockets, String scheme, Function<String, Script> answers) {
    try {
      ServerSocket listening =
          sockets.createServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
      TirelessServer server = new TirelessServer(listening, scheme, answers);
      Thread.ofVirtual().name("tireless-server").start(server::acceptAll);
      return server;
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  /** The URL of this path and query on this server. */
  public CrawlUrl url(String target) {
    return CrawlUrl.of(scheme + "://127.0.0.1:" + listening.getLocalPort() + target);
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = listening.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Wire wire = new Wire(0, socket, _ -> {});
      Optional<SeenRequest> request = wire.request();
      while (request.isPresent()) {
        answers.apply(request.get().line().split(" ", -1)[1]).play(wire);
        request = wire.request();
      }
    } catch (IOException | InterruptedException _) {
      // The other side has left, or the script has.
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException cannotClose) {
      throw new UncheckedIOException(cannotClose);
    }
  }
}
