package dev.comity.web.address;

import dev.comity.web.address.ProxyServer.Kind;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.SocketFactory;

/**
 * Makes sockets that ask the guard in {@code connect}. A client may look names up or not, pool or
 * not; it cannot reach an address without this. They also tell of every byte that arrives, before
 * anyone buffers it, and of those that leave, after everybody did.
 *
 * <p>With a SOCKS5 server in between the client does not notice it. With an HTTP proxy the client
 * connects to nobody else, and what it asks for there was admitted before it set out.
 */
public final class GuardedSockets extends SocketFactory {
  private final AddressGuard guard;
  private final Optional<ProxyServer> proxy;
  private final Traffic traffic;

  /**
   * Sockets behind this guard.
   *
   * @param traffic told what comes and goes
   */
  public GuardedSockets(AddressGuard guard, Optional<ProxyServer> proxy, Traffic traffic) {
    this.guard = guard;
    this.proxy = proxy;
    this.traffic = traffic;
  }

  /** Hears what a socket reads and writes, on the thread that does. */
  public interface Traffic {
    /** A read has brought so many bytes. */
    void arrived(int count);

    /** Bytes were handed to the network. */
    void left();
  }

  /** Whom a client connects to that wants to reach this host. */
  public List<InetAddress> resolve(String host, int port) throws UnknownHostException {
    return isHttpProxy() ? guard.lookUp(host) : guard.resolve(host, port);
  }

  /** A connection to one of the addresses of a host, without any delay before small writes. */
  public Socket connect(InetAddress address, int port, Duration timeout) throws IOException {
    Socket socket = createSocket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(address, port), (int) timeout.toMillis());
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }

  /** Whether a connection to this host can be made; it is closed at once. */
  public boolean reaches(String host, int port, Duration timeout) {
    try {
      String first = isHttpProxy() ? proxy.orElseThrow().host() : Literals.bare(host);
      int at = isHttpProxy() ? proxy.orElseThrow().port() : port;
      connect(resolve(first, at).getFirst(), at, timeout).close();
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private boolean isHttpProxy() {
    return proxy.filter(server -> server.kind() == Kind.HTTP).isPresent();
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
      if (proxy.isEmpty()) {
        admit(internet);
        super.connect(endpoint, timeout);
        return;
      }
      switch (proxy.get().kind()) {
        case HTTP -> super.connect(theProxyAlone(internet), timeout);
        case SOCKS5 -> {
          admit(internet);
          connectThrough(proxy.get(), internet, timeout);
        }
      }
    }

    private void admit(InetSocketAddress endpoint) throws AddressRefusal {
      guard.admit(endpoint.getHostString(), endpoint.getAddress(), endpoint.getPort());
    }

    private InetSocketAddress theProxyAlone(InetSocketAddress endpoint) throws IOException {
      ProxyServer server = proxy.orElseThrow();
      if (endpoint.getPort() != server.port()
          || !guard.lookUp(server.host()).contains(endpoint.getAddress())) {
        throw new IOException("only the proxy is connected to");
      }
      return endpoint;
    }

    private void connectThrough(ProxyServer server, InetSocketAddress target, int timeout)
        throws IOException {
      InetAddress address = guard.lookUp(server.host()).getFirst();
      super.connect(new InetSocketAddress(address, server.port()), timeout);
      int before = getSoTimeout();
      setSoTimeout(timeout);
      Socks5.connect(this, target, server.login());
      setSoTimeout(before);
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
