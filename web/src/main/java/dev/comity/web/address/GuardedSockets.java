package dev.comity.web.address;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Makes sockets that ask the guard in {@code connect}. A client may look names up or not, pool or
 * not; it cannot reach an address without this. They also tell of every byte that arrives, before
 * anyone buffers it, and of those that leave, after everybody did.
 */
public final class GuardedSockets extends SocketFactory {
  private final AddressGuard guard;
  private final Traffic traffic;

  /**
   * Sockets behind this guard.
   *
   * @param traffic told what comes and goes
   */
  public GuardedSockets(AddressGuard guard, Traffic traffic) {
    this.guard = guard;
    this.traffic = traffic;
  }

  /** Hears what a socket reads and writes, on the thread that does. */
  public interface Traffic {
    /** A read has brought so many bytes. */
    void arrived(int count);

    /** Bytes were handed to the network. */
    void left();
  }

  @Override
  public Socket createSocket() throws IOException {
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

  private final class GuardedSocket extends ChannelSocket {
    GuardedSocket() throws IOException {}

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
            traffic.arrived(1);
          }
          return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int count = super.read(bytes, offset, length);
          if (count > 0) {
            traffic.arrived(count);
          }
          return count;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int one) throws IOException {
          out.write(one);
          traffic.left();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          out.write(bytes, offset, length);
          traffic.left();
        }
      };
    }
  }
}
