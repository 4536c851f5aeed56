package dev.comity.web;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.internal.connection.RealConnection;
import okhttp3.internal.http.RealInterceptorChain;
import okio.BufferedSource;

/**
 * An HTTP/1 connection that was used before and lay idle. Over one that the other side has closed
 * meanwhile a request would fail; over one that brought more than was asked for, the rest would be
 * taken for the next answer. Both are seen before anything is sent, and another connection is made
 * instead.
 */
final class IdleConnection {
  private final Connection connection;
  private final Interceptor.Chain chain;

  IdleConnection(Connection connection, Interceptor.Chain chain) {
    this.connection = connection;
    this.chain = chain;
  }

  /** Whether a request can be sent over it. */
  boolean isSound() {
    try {
      return !holdsLeftovers() && !isReadable(connection.socket());
    } catch (IOException broken) {
      return false;
    }
  }

  /**
   * Whether bytes were read that belong to no answer. They lie in the client's own buffer, to which
   * nothing public leads; these inner parts of it do.
   */
  private boolean holdsLeftovers() throws IOException {
    return connection instanceof RealConnection real
        && chain instanceof RealInterceptorChain inner
        && real.newCodec$okhttp(inner.getCall$okhttp().getClient(), inner).getSocket().getSource()
            instanceof BufferedSource buffered
        && buffered.getBuffer().size() > 0;
  }

  /**
   * Whether there is an end to read, or bytes nobody asked for. A look at the channel costs no
   * waiting; only where something is there it has to be read, for it may be no more than a message
   * of TLS to itself.
   */
  static boolean isReadable(Socket socket) throws IOException {
    SocketChannel channel = socket.getChannel();
    return (channel == null || isReadyToRead(channel)) && bringsAnything(socket);
  }

  private static boolean isReadyToRead(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      return selector.selectNow() > 0;
    } finally {
      channel.configureBlocking(true);
    }
  }

  private static boolean bringsAnything(Socket socket) throws IOException {
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout(1);
    try {
      socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException nothing) {
      return false;
    } finally {
      socket.setSoTimeout(timeout);
    }
  }
}
