package dev.comity.web.address;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.function.IntConsumer;
import javax.net.SocketFactory;

/**
 * Makes sockets that ask the guard in {@code connect}. A client may look names up or not, pool or
 * not; it cannot reach an address without this. They also tell of every byte that arrives, before
 * anyone buffers it.
 */
public final class GuardedSockets extends SocketFactory {
  private final AddressGuard guard;
  private final IntConsumer arrived;

  /**
   * Sockets behind this guard.
   *
   * @param arrived told on the reading thread how many bytes a read has brought
   */
  public GuardedSockets(AddressGuard guard, IntConsumer arrived) {
    this.guard = guard;
    this.arrived = arrived;
  }

  @Override
  public Socket createSocket() {
    return new GuardedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
    throw alreadyConnected();
  }

  private static UnsupportedOperationException alreadyConnected() {
    return new UnsupportedOperationException("only unconnected sockets are made here");
  }

  private final class GuardedSocket extends Socket {
    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      if (!(endpoint instanceof InetSocketAddress internet) || internet.isUnresolved()) {
        throw new IOException("only looked-up addresses are connected to");
      }
      guard.admit(internet.getHostString(), internet.getAddress());
      super.connect(endpoint, timeout);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          int read = super.read();
          if (read >= 0) {
            arrived.accept(1);
          }
          return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int count = super.read(bytes, offset, length);
          if (count > 0) {
            arrived.accept(count);
          }
          return count;
        }
      };
    }
  }
}
