package dev.comity.web;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A connection that speaks HTTP/1.1, one exchange after the other, and whose every read has an end:
 * no pause is longer than allowed and none goes beyond the deadline of the fetch. An {@link
 * Http1Timekeeper} sees to that.
 */
final class Http1Connection implements Closeable {
  private static final int BUFFER = 8 * 1024;

  private final Endpoint endpoint;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final ReadTimer timer = new ReadTimer();
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private long pauseNanos;
  private long deadline;
  private long idleSince;

  /** Whom it leads to. */
  record Endpoint(String host, int port) {}

  Http1Connection(Endpoint endpoint, Socket socket) throws IOException {
    this.endpoint = endpoint;
    this.socket = socket;
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** From now on: no pause longer than this, and none beyond the deadline. */
  void allow(Duration pause, long deadlineNanos) {
    pauseNanos = pause.toNanos();
    deadline = deadlineNanos;
  }

  /** In one piece, so that the first byte leaves with the last. */
  void send(byte[] request) throws IOException {
    out.write(request);
    out.flush();
  }

  /**
   * A line without its end, which is CR LF or LF alone. Each byte is the character of that number.
   *
   * @param most bytes it may have
   * @throws EOFException if there is none
   */
  String line(int most) throws IOException {
    if (position == limit && fill() < 0) {
      throw closedWithin();
    }
    int end = lineEnd();
    if (end < 0) {
      return longLine(most);
    }
    int length = end > position && buffer[end - 1] == '\r' ? end - 1 - position : end - position;
    String line = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
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
    position = end + 1;
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private static EOFException closedWithin() {
    return new EOFException("the connection was closed within a line");
  }

  /** Reads what there is, at most so many bytes; -1 at the end. */
  int read(byte[] into, int offset, int most) throws IOException {
    if (position == limit) {
      if (most >= BUFFER) {
        return receive(into, offset, most);
      }
      if (fill() < 0) {
        return -1;
      }
    }
    int count = Math.min(most, limit - position);
    System.arraycopy(buffer, position, into, offset, count);
    position += count;
    return count;
  }

  /** Whether bytes were received that nobody has read. */
  boolean hasLeftovers() {
    return position < limit;
  }

  private int fill() throws IOException {
    int count = receive(buffer, 0, BUFFER);
    position = 0;
    limit = Math.max(0, count);
    return count;
  }

  private int receive(byte[] into, int offset, int most) throws IOException {
    long now = System.nanoTime();
    long left = deadline - now;
    if (left <= 0) {
      throw tookTooLong();
    }
    timer.start(now + Math.min(pauseNanos, left));
    int count;
    try {
      count = in.read(into, offset, most);
    } catch (IOException broken) {
      throw timer.stop() ? late(left) : broken;
    }
    if (timer.stop()) {
      // It came when the connection was being closed.
      throw late(left);
    }
    return count;
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
   * Whether a request can be sent over it: the other side has neither closed it nor sent what
   * nobody asked for. Looked at without waiting.
   */
  boolean isSound() {
    SocketChannel channel = socket.getChannel();
    try {
      channel.configureBlocking(false);
      try {
        return channel.read(ByteBuffer.allocate(1)) == 0;
      } finally {
        channel.configureBlocking(true);
      }
    } catch (IOException broken) {
      return false;
    }
  }

  /** It lies idle from now on. */
  void rest() {
    idleSince = System.nanoTime();
  }

  boolean hasRestedLongerThan(Duration time) {
    return System.nanoTime() - idleSince > time.toNanos();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // Closed or not, it is not used again.
    }
  }

  /** Status line and headers have more bytes than any honest answer. */
  static final class HeadTooLong extends IOException {}
}
