package dev.comity.web.http;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.web.http.BodyReader.ReadBody;
import dev.comity.web.http.FetchProgress.Phase;
import dev.comity.web.http.Framing.UnclearEnd;
import dev.comity.web.http.Http1Connection.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1, in clear and over TLS. A general client does much that a crawler must then undo, and it
 * was the most expensive part of a fetch. A crawler needs little of HTTP/1.1: one GET at a time,
 * sent once, with every byte accounted for.
 */
final class Http1 implements AutoCloseable {
  /** The most bytes to skip only to use the connection again. */
  private static final int WORTH_SKIPPING = 16 * 1024;

  /** How long to wait for bytes that matter only to the next request. */
  private static final Duration WORTH_WAITING = Duration.ofMillis(100);

  private final FetchSettings settings;
  private final BodyReader bodies;
  private final Http1Dialer dialer;
  private final Http1Pool pool;
  private final Http1Timekeeper timekeeper = new Http1Timekeeper();

  Http1(FetchSettings settings, BodyReader bodies, Http1Dialer dialer) {
    this.settings = settings;
    this.bodies = bodies;
    this.dialer = dialer;
    pool = new Http1Pool(settings.idleConnections(), settings.keepAlive());
  }

  /**
   * Asks once.
   *
   * @param endpoint where to ask
   * @param request all that is sent
   * @return what was read; empty where the status alone says what the answer comes to
   * @throws IOException if no answer came, or only a part of one; the progress says how far it got
   */
  Optional<ReadBody> ask(Endpoint endpoint, byte[] request, Want want, FetchProgress progress)
      throws IOException, InterruptedException {
    Optional<Http1Connection> idle = idle(endpoint);
    Http1Connection connection = idle.isPresent() ? idle.get() : dialer.dial(endpoint, progress);
    boolean reusable = false;
    try {
      timekeeper.watch(connection);
      if (idle.isEmpty()) {
        dialer.prepare(connection, progress);
      }
      if (!progress.mayStart()) {
        reusable = true;
        return Optional.of(new ReadBody(new Cancelled(), 0));
      }
      WireTape tape = progress.tape();
      connection.record(tape);
      if (tape != null) {
        tape.begin(connection.address());
      }
      Http1Head head = exchange(connection, request, progress);
      if (tape != null) {
        tape.endHead();
      }
      if (!Statuses.hasBody(head.code())) {
        reusable = skip(connection, head, tape);
        return Optional.empty();
      }
      Optional<FetchOutcome> refused = progress.refused(head.code(), head.headers());
      if (refused.isPresent()) {
        return Optional.of(new ReadBody(refused.get(), 0));
      }
      Http1Body body = Http1Body.of(connection, head.headers());
      ReadBody read =
          bodies.read(
              head.code(),
              head.headers(),
              want,
              body,
              progress.keepsReceived(),
              length -> {
                if (tape == null) {
                  progress.reserve(length);
                } else {
                  tape.decodedUpTo(length);
                }
                connection.allow(settings.idle(), progress.deadline(settings.total()));
              });
      reusable = skip(connection, head, body, tape);
      return Optional.of(read);
    } finally {
      connection.record(null);
      timekeeper.leave(connection);
      if (reusable && !connection.hasLeftovers()) {
        pool.keep(connection);
      } else {
        connection.close();
      }
    }
  }

  private Http1Head exchange(Http1Connection connection, byte[] request, FetchProgress progress)
      throws IOException {
    long deadline = progress.deadline(settings.total());
    progress.sending();
    connection.allow(settings.idle(), deadline);
    connection.send(request);
    progress.underWay();
    progress.enter(Phase.WAITING);
    connection.allow(progress.patience(), deadline);
    connection.awaitBytes();
    progress.bytesArrived();
    Http1Head head = Http1Head.read(connection);
    progress.answered(head.code(), head.headers());
    connection.allow(settings.idle(), deadline);
    return head;
  }

  /** Skips a body that says nothing more; says whether the connection can be used again. */
  private static boolean skip(Http1Connection connection, Http1Head head, @Nullable WireTape tape) {
    if (head.code() == 204 || head.code() == 304) {
      if (tape != null) {
        tape.end(true);
      }
      return head.persistent();
    }
    try {
      return skip(connection, head, Http1Body.of(connection, head.headers()), tape);
    } catch (UnclearEnd _) {
      // Its status is known, but not where the next answer begins.
      return false;
    }
  }

  /** The same of the rest of a body. An archive wants that also of a connection that closes. */
  private static boolean skip(
      Http1Connection connection, Http1Head head, Http1Body body, @Nullable WireTape tape) {
    if (tape == null) {
      return head.persistent() && skip(connection, body);
    }
    boolean whole = skip(connection, body);
    tape.end(body.isComplete());
    return head.persistent() && whole;
  }

  /** Skips the rest of a body if that is cheaper than another connection. */
  private static boolean skip(Http1Connection connection, Http1Body body) {
    connection.allow(WORTH_WAITING, System.nanoTime() + WORTH_WAITING.toNanos());
    try {
      // Most bodies were read to their end: one more read says so, without a buffer.
      if (body.read() >= 0) {
        body.readNBytes(WORTH_SKIPPING - 1);
      }
      return body.isWhole();
    } catch (IOException _) {
      return false;
    }
  }

  private Optional<Http1Connection> idle(Endpoint endpoint) {
    Optional<Http1Connection> idle = pool.take(endpoint);
    while (idle.isPresent() && !idle.get().isSound()) {
      // The other side has closed it meanwhile. Nothing was sent.
      idle.get().close();
      idle = pool.take(endpoint);
    }
    return idle;
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
