package dev.comity.web.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket that can be asked for bytes without waiting for them. The JDK lays TLS over a
 * {@link Socket}; this class passes on what TLS and HTTP need of one and nothing else.
 */
public final class ChannelSocket extends Socket {
  /** TLS asks for five bytes and then for the rest of a record. One read brings both. */
  private static final int BUFFER = 8 * 1024;

  /** Two tickets of TLS have some hundred bytes each, a few thousand with certificates inside. */
  private static final int MOST_WITHOUT_WAITING = 8 * BUFFER;

  private final SocketChannel channel;
  private final Socket socket;
  private final Arriving arriving;

  ChannelSocket(SocketChannel channel) throws IOException {
    super((SocketImpl) null);
    this.channel = channel;
    socket = channel.socket();
    arriving = new Arriving(socket.getInputStream());
  }

  /** What there is to read. */
  public enum Peek {
    NOTHING,
    BYTES,
    END
  }

  /** Looks for bytes without waiting and without losing any. */
  public Peek look() throws IOException {
    return arriving.look();
  }

  /**
   * Runs something that reads. Where it would have to wait, the read throws a {@link
   * SocketTimeoutException} instead. The JDK's TLS socket can go on after one, even within a
   * record. A server that sends faster than is read would keep it busy for ever, so there is a
   * limit.
   */
  public <T> T withoutWaiting(Callable<T> reading) throws Exception {
    arriving.waiting = false;
    arriving.allowed = MOST_WITHOUT_WAITING;
    try {
      return reading.call();
    } finally {
      arriving.waiting = true;
    }
  }

  private final class Arriving extends InputStream {
    private final InputStream in;
    private byte[] buffer = new byte[0];
    private int position;
    private int limit;
    private boolean waiting = true;
    private int allowed;

    Arriving(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      if (position == limit) {
        if (most >= BUFFER && waiting) {
          return in.read(into, offset, most);
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

    private int fill() throws IOException {
      if (waiting) {
        makeRoom(BUFFER);
        return filled(in.read(buffer, 0, buffer.length));
      }
      return switch (look()) {
        case NOTHING -> throw new SocketTimeoutException("nothing has come");
        case BYTES -> counted(limit);
        case END -> -1;
      };
    }

    private int counted(int count) throws IOException {
      allowed -= count;
      if (allowed < 0) {
        throw new IOException("more has come than is read without waiting");
      }
      return count;
    }

    Peek look() throws IOException {
      if (position < limit) {
        return Peek.BYTES;
      }
      // Without TLS any byte is one too many, so there is no need for more room.
      makeRoom(1);
      int count;
      channel.configureBlocking(false);
      try {
        count = channel.read(ByteBuffer.wrap(buffer));
      } finally {
        channel.configureBlocking(true);
      }
      filled(count);
      return count == 0 ? Peek.NOTHING : count < 0 ? Peek.END : Peek.BYTES;
    }

    private void makeRoom(int size) {
      if (buffer.length < size) {
        buffer = new byte[size];
      }
    }

    private int filled(int count) {
      position = 0;
      limit = Math.max(0, count);
      return count;
    }
  }

  @Override
  public InputStream getInputStream() {
    return arriving;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public void shutdownInput() throws IOException {
    socket.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return socket.getTcpNoDelay();
  }

  @Override
  public int getSoLinger() throws SocketException {
    return socket.getSoLinger();
  }

  @Override
  public String toString() {
    return socket.toString();
  }
}
