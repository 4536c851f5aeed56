package dev.comity.web;

import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.BodyReader.Read;
import dev.comity.web.Http1Connection.Endpoint;
import dev.comity.web.OneRequest.UnclearEnd;
import dev.comity.web.address.GuardedSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * HTTP/1.1 in clear over sockets of our own. A general client does much that a crawler must then
 * undo, and it was the dearest part of a fetch; what is needed of HTTP/1.1 here is little: one GET
 * at a time, sent once, whose every byte is accounted for.
 */
final class Http1 implements AutoCloseable {
  /** What is worth reading only to use the connection again. */
  private static final int WORTH_SKIPPING = 16 * 1024;

  /** How long to wait for bytes that matter only to who uses the connection next. */
  private static final Duration WORTH_WAITING = Duration.ofMillis(100);

  private final FetchSettings settings;
  private final GuardedSockets sockets;
  private final BodyReader bodies;
  private final Http1Pool pool;
  private final Http1Timekeeper timekeeper = new Http1Timekeeper();

  Http1(FetchSettings settings, GuardedSockets sockets, BodyReader bodies) {
    this.settings = settings;
    this.sockets = sockets;
    this.bodies = bodies;
    pool = new Http1Pool(settings.idleConnections(), settings.keepAlive());
  }

  /**
   * Asks once.
   *
   * @param headers the lines to send beside the first two, each with its end
   * @return what was read; empty where the status alone says what the answer comes to
   * @throws IOException if no answer came, or only a part of one; the watch knows how far it got
   */
  Optional<Read> ask(CrawlUrl url, String headers, Want want, Watch watch)
      throws IOException, InterruptedException {
    Http1Connection connection = connection(url, watch);
    boolean reusable = false;
    try {
      timekeeper.watch(connection);
      if (!watch.mayStart()) {
        reusable = true;
        return Optional.of(new Read(new Cancelled(), 0));
      }
      Http1Head head = exchange(connection, request(url, headers), watch);
      if (!Statuses.hasBody(head.code())) {
        reusable = head.persistent() && skip(connection, head);
        return Optional.empty();
      }
      Http1Body body = Http1Body.of(connection, head.headers());
      Read read =
          bodies.read(
              head.code(),
              head.headers(),
              want,
              body,
              length -> {
                watch.reserve(length);
                connection.allow(settings.idle(), watch.deadline(settings.total()));
              });
      reusable = head.persistent() && skip(connection, body);
      return Optional.of(read);
    } finally {
      timekeeper.leave(connection);
      if (reusable && !connection.hasLeftovers()) {
        pool.keep(connection);
      } else {
        connection.close();
      }
    }
  }

  private Http1Head exchange(Http1Connection connection, byte[] request, Watch watch)
      throws IOException {
    long deadline = watch.deadline(settings.total());
    watch.sending();
    connection.send(request);
    watch.enter(Phase.WAITING);
    connection.allow(watch.patience(), deadline);
    Http1Head head = Http1Head.read(connection);
    watch.answered(head.code(), head.headers());
    connection.allow(settings.idle(), deadline);
    return head;
  }

  private static byte[] request(CrawlUrl url, String headers) {
    String port = url.port() == 80 ? "" : ":" + url.port();
    String head =
        "GET "
            + url.target()
            + " HTTP/1.1\r\nHost: "
            + url.host()
            + port
            + "\r\n"
            + headers
            + "\r\n";
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean skip(Http1Connection connection, Http1Head head) {
    if (head.code() == 204 || head.code() == 304) {
      return true;
    }
    try {
      return skip(connection, Http1Body.of(connection, head.headers()));
    } catch (UnclearEnd _) {
      // Its status is known. Where the next answer begins is not.
      return false;
    }
  }

  /** Reads past what nobody wants of a body, if that is cheaper than another connection. */
  private static boolean skip(Http1Connection connection, Http1Body body) {
    connection.allow(WORTH_WAITING, System.nanoTime() + WORTH_WAITING.toNanos());
    try {
      body.readNBytes(WORTH_SKIPPING);
      return body.isWhole();
    } catch (IOException _) {
      return false;
    }
  }

  private Http1Connection connection(CrawlUrl url, Watch watch) throws IOException {
    Endpoint endpoint = new Endpoint(url.host(), url.port());
    for (Optional<Http1Connection> idle = pool.take(endpoint);
        idle.isPresent();
        idle = pool.take(endpoint)) {
      if (idle.get().isSound()) {
        return idle.get();
      }
      // The other side has closed it meanwhile. Nothing was sent.
      idle.get().close();
    }
    return new Http1Connection(endpoint, connected(endpoint, watch));
  }

  private Socket connected(Endpoint endpoint, Watch watch) throws IOException {
    watch.enter(Phase.RESOLVING);
    List<InetAddress> addresses = sockets.resolve(endpoint.host(), endpoint.port());
    watch.enter(Phase.CONNECTING);
    IOException failure = new IOException("no address to connect to");
    for (InetAddress address : addresses) {
      try {
        return sockets.connect(address, endpoint.port(), settings.connect());
      } catch (IOException failed) {
        failure = failed;
      }
    }
    throw failure;
  }

  /** Closes the connections that are not in use. */
  void closeIdle() {
    pool.closeIdle();
  }

  @Override
  public void close() {
    pool.close();
    timekeeper.close();
  }
}
