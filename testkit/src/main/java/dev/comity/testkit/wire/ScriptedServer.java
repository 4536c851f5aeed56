package dev.comity.testkit.wire;

import dev.comity.core.url.CrawlUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/**
 * A server on loopback that plays a script on every connection. The first connection plays the
 * first script and so on; the last script is played for all that follow.
 *
 * {@snippet :
 * try (var server = ScriptedServer.playing(Script.replying(Replies.html("hello")))) {
 *   fetcher.fetch(server.url("/"), Want.PAGE, () -> {});
 *   assertThat(server.requests()).hasSize(1);
 * }
 * }
 */
public final class ScriptedServer implements AutoCloseable {
  private static final int BACKLOG = 50;

  private final ServerSocket listening;
  private final String scheme;
  private final List<Script> scripts;
  private final List<SeenRequest> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<Throwable> mistakes = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  private ScriptedServer(ServerSocket listening, String scheme, List<Script> scripts) {
    this.listening = listening;
    this.scheme = scheme;
    this.scripts = scripts;
  }

  /** Starts a server with one script per connection. */
  public static ScriptedServer playing(Script... scripts) {
    return at(0, scripts);
  }

  /** Starts one that listens on that very port; 0 for any that is free. */
  public static ScriptedServer at(int port, Script... scripts) {
    try {
      ServerSocket listening = new ServerSocket(port, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
      return new ScriptedServer(listening, "http", List.of(scripts)).started();
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  /**
   * Starts a server that plays behind TLS.
   *
   * @param tls has the server's certificate
   * @param protocol what it agrees to speak, such as {@code h2}
   */
  public static ScriptedServer playingSecurely(SSLContext tls, String protocol, Script... scripts) {
    return securelyAt(0, tls, protocol, scripts);
  }

  /** The same on that very port; 0 for any that is free. */
  public static ScriptedServer securelyAt(
      int port, SSLContext tls, String protocol, Script... scripts) {
    try {
      SSLServerSocket listening =
          (SSLServerSocket)
              tls.getServerSocketFactory()
                  .createServerSocket(port, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
      SSLParameters parameters = listening.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      listening.setSSLParameters(parameters);
      return new ScriptedServer(listening, "https", List.of(scripts)).started();
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  private ScriptedServer started() {
    Thread.ofVirtual().name("scripted-server").start(this::acceptAll);
    return this;
  }

  /** The URL of this path and query on this server. */
  public CrawlUrl url(String target) {
    return CrawlUrl.of(scheme + "://127.0.0.1:" + port() + target);
  }

  /** The port it listens on. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Every request read so far, in order of arrival. */
  public List<SeenRequest> requests() {
    return List.copyOf(requests);
  }

  /** How many connections were accepted so far. */
  public int connections() {
    return connections.get();
  }

  /** Ends every connection. A script that failed by its own mistake fails the test here. */
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
    if (!mistakes.isEmpty()) {
      throw new AssertionError("a script failed", mistakes.getFirst());
    }
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = listening.accept();
        open.add(socket);
        int number = connections.getAndIncrement();
        Thread.ofVirtual().name("scripted-wire-" + number).start(() -> play(number, socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void play(int number, Socket socket) {
    try (socket) {
      perform(number, socket);
    } catch (IOException | InterruptedException _) {
      // The other side has left, or the server is closing: scripts end that way.
    }
  }

  /** A mistake is noted before the connection ends, which is what the test may be waiting for. */
  private void perform(int number, Socket socket) throws IOException, InterruptedException {
    try {
      Script script = scripts.get(Math.min(number, scripts.size() - 1));
      script.play(new Wire(number, socket, requests::add));
    } catch (RuntimeException | AssertionError mistake) {
      mistakes.add(mistake);
    }
  }
}
