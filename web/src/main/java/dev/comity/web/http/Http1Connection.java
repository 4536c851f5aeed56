package dev.comity.web.http;

import dev.comity.core.url.CrawlUrl;
import dev.comity.web.net.ChannelSocket;
import dev.comity.web.net.Tls;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 connection, one exchange after the other. Every read is bounded: no pause is longer
 * than allowed and none goes beyond the deadline of the fetch. An {@link Http1Timekeeper} enforces
 * it.
 */
final class Http1Connection implements Closeable {
  private static final int BUFFER = 8 * 1024;

  /** The head of an HTTP/2 frame: a length of three bytes, type, flags, stream (RFC 9113). */
  private static final int FRAME_HEAD = 9;

  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;

  private final Endpoint endpoint;
  private final Socket raw;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private final ReadTimer timer = new ReadTimer();
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private long pauseNanos;
  private long deadline;
  private long idleSince;
  private @Nullable WireTape tape;

  /** The server it leads to, whatever proxies lie between. */
  record Endpoint(String host, int port, boolean secure) {
    Endpoint(String host, int port) {
      this(host, port, false);
    }

    static Endpoint of(CrawlUrl url) {
      return new Endpoint(url.host(), url.port(), url.scheme().equals("https"));
    }
  }

  Http1Connection(Endpoint endpoint, Socket raw) throws IOException {
    this.endpoint = endpoint;
    this.raw = raw;
    socket = raw;
    in = raw.getInputStream();
    out = raw.getOutputStream();
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Records the answer that comes next, or no answer. */
  void record(@Nullable WireTape onto) {
    tape = onto;
  }

  InetAddress address() {
    return raw.getInetAddress();
  }

  /** A head of an answer begins here. */
  void beginHead() {
    if (tape != null) {
      tape.beginHead();
    }
  }

  /** From now on: no pause longer than this, and none beyond the deadline. */
  void allow(Duration pause, long deadlineNanos) {
    pauseNanos = pause.toNanos();
    deadline = deadlineNanos;
  }

  /**
   * Lays TLS over it. What is allowed of a pause is here allowed of the whole handshake: a server
   * that sends it byte by byte gets no longer than one that is silent.
   */
  void secure(Tls tls) throws IOException {
    socket = timed(() -> tls.secure(raw, endpoint.host(), endpoint.port()));
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  private boolean isSecure() {
    return socket instanceof SSLSocket;
  }

  /** In one piece, so that the first byte leaves with the last. */
  void send(byte[] request) throws IOException {
    timed(
        () -> {
          out.write(request);
          out.flush();
          return request.length;
        });
  }

  /**
   * Waits until there is something to read.
   *
   * @throws EOFException if there never will be
   */
  void awaitBytes() throws IOException {
    if (position == limit && fill() < 0) {
      throw closedWithin();
    }
  }

  /**
   * Whether a frame of HTTP/2 begins here, SETTINGS or GOAWAY. No answer of HTTP/1 begins with a
   * NUL.
   */
  boolean isHttp2() throws IOException {
    awaitBytes();
    if (buffer[position] != 0) {
      return false;
    }
    while (limit - position < FRAME_HEAD) {
      int count = receive(buffer, limit, BUFFER - limit);
      if (count < 0) {
        return false;
      }
      limit += count;
    }
    int type = buffer[position + 3];
    boolean ofConnection =
        Arrays.mismatch(buffer, position + 5, position + 9, new byte[4], 0, 4) < 0;
    return ofConnection && (type == SETTINGS || type == GOAWAY);
  }

  /**
   * A line without its end, which is CR LF or LF alone. Each byte is the character of that number.
   *
   * @param most bytes it may have
   * @throws EOFException if there is none
   */
  String line(int most) throws IOException {
    awaitBytes();
    int end = lineEnd();
    if (end < 0) {
      return longLine(most);
    }
    int length = end > position && buffer[end - 1] == '\r' ? end - 1 - position : end - position;
    String line = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
    framing(end + 1);
    position = end + 1;
    return line;
  }

  /** Where the line ends that begins here, if all of it is here. */
  private int lineEnd() {
    for (int at = position; at < limit; at++) {
      if (buffer[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  private String longLine(int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int end = -1;
    while (end < 0) {
      line.write(buffer, position, limit - position);
      framing(limit);
      position = limit;
      if (line.size() > most) {
        throw new HeadTooLong();
      }
      if (fill() < 0) {
        throw closedWithin();
      }
      end = lineEnd();
    }
    line.write(buffer, position, end - position);
    framing(end + 1);
    position = end + 1;
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private void framing(int end) throws IOException {
    if (tape != null) {
      tape.framing(buffer, position, end);
    }
  }

  private static EOFException closedWithin() {
    return new EOFException("the connection was closed within a line");
  }

  /** Reads what there is, at most so many bytes; -1 at the end. */
  int read(byte[] into, int offset, int most) throws IOException {
    if (position == limit) {
      if (most >= BUFFER) {
        return recorded(into, offset, receive(into, offset, most));
      }
      if (fill() < 0) {
        return -1;
      }
    }
    int count = Math.min(most, limit - position);
    System.arraycopy(buffer, position, into, offset, count);
    position += count;
    return recorded(into, offset, count);
  }

  private int recorded(byte[] from, int offset, int count) throws IOException {
    if (tape != null && count > 0) {
      tape.body(from, offset, count);
    }
    return count;
  }

  /** Whether bytes were received that belong to no answer. */
  boolean hasLeftovers() {
    try {
      return position < limit || (isSecure() && in.available() > 0);
    } catch (IOException broken) {
      return true;
    }
  }

  private int fill() throws IOException {
    int count = receive(buffer, 0, BUFFER);
    position = 0;
    limit = Math.max(0, count);
    return count;
  }

  private int receive(byte[] into, int offset, int most) throws IOException {
    return timed(() -> in.read(into, offset, most));
  }

  /** A read or write that ends when the connection is closed. */
  @FunctionalInterface
  private interface Step<T> {
    T take() throws IOException;
  }

  private <T> T timed(Step<T> step) throws IOException {
    long now = System.nanoTime();
    long left = deadline - now;
    if (left <= 0) {
      throw tookTooLong();
    }
    timer.start(now + Math.min(pauseNanos, left));
    T result;
    try {
      result = step.take();
    } catch (IOException broken) {
      throw timer.stop() ? late(left) : broken;
    }
    if (timer.stop()) {
      // It came when the connection was being closed.
      throw late(left);
    }
    return result;
  }

  private InterruptedIOException late(long left) {
    return left <= pauseNanos ? tookTooLong() : new SocketTimeoutException("nothing came");
  }

  private static InterruptedIOException tookTooLong() {
    return new InterruptedIOException("the whole took too long");
  }

  /** Whether a read takes too long and the connection is to be closed: said once. */
  boolean isOverdue(long now) {
    return timer.runsOut(now);
  }

  /**
   * Whether a request can be sent over it: the other side has neither closed it nor sent what was
   * not asked for. Looked at without waiting.
   */
  boolean isSound() {
    try {
      return raw instanceof ChannelSocket channel
          && switch (channel.look()) {
            case NOTHING -> true;
            case BYTES -> isSecure() && channel.withoutWaiting(this::holdsNoAnswer);
            case END -> false;
          };
    } catch (Exception broken) {
      return false;
    }
  }

  /** Bytes of TLS may be no more than tickets for later sessions. Reading takes them in. */
  private boolean holdsNoAnswer() throws IOException {
    try {
      in.read();
      return false;
    } catch (SocketTimeoutException nothing) {
      return true;
    }
  }

  /** It lies idle from now on. */
  void rest() {
    idleSince = System.nanoTime();
  }

  boolean hasRestedLongerThan(Duration time) {
    return System.nanoTime() - idleSince > time.toNanos();
  }

  /** Ends it properly. Over TLS that takes a message, which could be waited for. */
  @Override
  public void close() {
    close(socket);
  }

  /** Closes the raw socket without a TLS farewell; a blocked read or handshake fails. */
  void abort() {
    close(raw);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // Closed or not, it is not used again.
    }
  }

  /** Status line and headers are longer than the limit. */
  static final class HeadTooLong extends IOException {}
}
